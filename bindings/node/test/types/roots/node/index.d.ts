// What the types need of Node.js: Debian has no package of them.
declare interface Buffer extends Uint8Array {
  toString(encoding?: string): string
}
declare const Buffer: { from(text: string, encoding?: string): Buffer }
