'use strict'
// Finds the addon and the library: MTOKEN_LIBRARY, then beside the package, then in the system.

const { closeSync, existsSync, openSync, readSync } = require('node:fs')
const { join } = require('node:path')

const ABI = 1
const SONAME = `libmtoken.so.${ABI}`
const MINIMUM = require('./minimum.json')

if (process.versions.bun !== undefined) {
  throw new Error('libmtoken: Bun is not supported: the addon needs the event loop of Node.js')
}

/** The one that Node.js runs with: what loads it is named at the beginning of its file. A report of the process would say it
 *  too, but would look up the names of all hosts that it is connected with. */
function libc() {
  const begin = Buffer.alloc(4096)
  const file = openSync(process.execPath, 'r')
  try {
    readSync(file, begin, 0, begin.length, 0)
  } finally {
    closeSync(file)
  }
  return begin.includes('/ld-musl-') ? 'musl' : 'glibc'
}

const platform = `${process.platform}-${process.arch}`
const folder = join(__dirname, '..', 'prebuilds', platform)

function addon() {
  const name = process.platform === 'linux' ? `mtoken.${libc()}.node` : 'mtoken.node'
  const path = process.env.MTOKEN_NODE_ADDON ?? join(folder, name)
  if (!existsSync(path)) {
    throw new Error(
      `libmtoken: no addon for ${platform} (${path}). This package has the one for linux-x64 with glibc; ` +
        'build others with "make node" in the source tree, and name the result in MTOKEN_NODE_ADDON'
    )
  }
  return require(path)
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
    `libmtoken: found no library (${tried.join('; ')}). Install ${SONAME} (Debian: libmtoken1), or name its file in ` +
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
