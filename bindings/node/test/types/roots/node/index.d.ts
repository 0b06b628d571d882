// SPDX-License-Identifier: Apache-2.0
// What the types need of Node.js: Debian has no package of them.
declare interface Buffer extends Uint8Array {
  toString(encoding?: string): string
}
declare const Buffer: { from(text: string, encoding?: string): Buffer }
declare interface ImportMeta {
  url: string
}
declare module 'node:module' {
  // biome-ignore lint/suspicious/noExplicitAny: as Node.js has it
  export function createRequire(url: string): (name: string) => any
}
