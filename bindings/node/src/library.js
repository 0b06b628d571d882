// SPDX-License-Identifier: Apache-2.0
'use strict'
// Finds the addon and the library: MTOKEN_LIBRARY, then beside the package, then in the system.

const { closeSync, existsSync, openSync, readSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

const ABI = 1
const SONAME = `libmtoken.so.${ABI}`
const MINIMUM = require('./minimum.json')

for (const name of ['Bun', 'Deno']) {
  if (process.versions[name.toLowerCase()] !== undefined)
    throw new Error(`libmtoken: ${name} is not supported: the addon needs the event loop of Node.js`)
}

/** Node.js names its loader near its beginning: that of musl, or of glibc. */
function isMusl() {
  const head = Buffer.alloc(4096)
  try {
    const file = openSync(process.execPath, 'r')
    readSync(file, head, 0, head.length, 0)
    closeSync(file)
  } catch {
    return false
  }
  return head.includes('/ld-musl-')
}

const platform = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`
// A file moved by a bundler has no addon beside it; an ECMAScript module does not even have a folder.
const root = typeof __dirname === 'undefined' ? '' : join(__dirname, '..')
const folder = join(root, 'prebuilds', platform)

function addon() {
  const own = process.env.MTOKEN_NODE_ADDON
  const path = own || join(folder, 'mtoken.node')
  if (own || existsSync(path)) {
    const loaded = { exports: {} }
    try {
      process.dlopen(loaded, path)
      return loaded.exports
    } catch (error) {
      throw new Error(`libmtoken: the addon for ${platform} cannot be loaded: ${error.message}`)
    }
  }
  if (!existsSync(join(root, 'prebuilds')))
    throw new Error(
      'libmtoken: this package was bundled, and its addon is not where it was put. Leave the package outside: ' +
        '--external:libmtoken (esbuild), externals: { libmtoken: "commonjs libmtoken" } (webpack), ' +
        'serverExternalPackages: ["libmtoken"] (Next.js)'
    )
  throw new Error(
    `libmtoken: no addon for ${platform}: ${path} is missing. This package has those for ` +
      `${readdirSync(join(root, 'prebuilds')).join(', ')}; build others with "make node" in the source tree, and name the ` +
      'result in MTOKEN_NODE_ADDON'
  )
}

function load(raw) {
  const own = join(folder, SONAME)
  // A library of the system shares names with the OpenSSL inside Node.js: it must find its own first. The one beside
  // the package has its own inside.
  const candidates = process.env.MTOKEN_LIBRARY
    ? [[process.env.MTOKEN_LIBRARY, true]]
    : [...(existsSync(own) ? [[own, false]] : []), [SONAME, true]]
  const tried = []
  for (const [path, deep] of candidates) {
    const problem = raw.load(path, deep)
    if (problem === null) {
      check(raw, path)
      return path
    }
    tried.push(`${path}: ${problem}`)
  }
  throw new Error(
    `libmtoken: found no library for ${platform} (${tried.join('; ')}). Install ${SONAME} (Debian: libmtoken1), or name its file in ` +
      'MTOKEN_LIBRARY'
  )
}

function check(raw, path) {
  const abi = raw.mtoken_abi_version()
  const found = raw.mtoken_version_number()
  if (abi !== ABI) throw new Error(`libmtoken: ${path} has ABI ${abi}, this package needs ${ABI}: install ${SONAME}`)
  if (found < MINIMUM.number) {
    throw new Error(
      `libmtoken: ${path} is version ${raw.mtoken_version()}, this package needs ${MINIMUM.version} or newer: ` +
        'update the package libmtoken1'
    )
  }
}

const raw = addon()
// V8 looks members up faster in what is the prototype of something than in what has hundreds of them otherwise.
Object.create(raw)
const path = load(raw)

module.exports = { raw, path }
