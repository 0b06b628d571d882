'use strict'
// Finds the addon and the library: MTOKEN_LIBRARY, then beside the package, then in the system.

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const ABI = 1
const SONAME = `libmtoken.so.${ABI}`
const MINIMUM = require('./minimum.json')

for (const name of ['Bun', 'Deno']) {
  if (process.versions[name.toLowerCase()] !== undefined)
    throw new Error(`libmtoken: ${name} is not supported: the addon needs the event loop of Node.js`)
}

const platform = `${process.platform}-${process.arch}`
// A file moved by a bundler has no addon beside it; an ECMAScript module does not even have a folder.
const root = typeof __dirname === 'undefined' ? '' : join(__dirname, '..')
const folder = join(root, 'prebuilds', platform)

/** There is one for each C library: the one of the other does not load. */
function addon() {
  const own = process.env.MTOKEN_NODE_ADDON
  const names = ['mtoken.glibc.node', 'mtoken.musl.node', 'mtoken.node'].map((name) => join(folder, name))
  const found = own ? [own] : names.filter((path) => existsSync(path))
  const problems = []
  for (const path of found) {
    const loaded = { exports: {} }
    try {
      process.dlopen(loaded, path)
      return loaded.exports
    } catch (error) {
      problems.push(error.message)
    }
  }
  if (problems.length > 0) throw new Error(`libmtoken: the addon cannot be loaded: ${problems.join('; ')}`)
  if (!existsSync(join(root, 'prebuilds')))
    throw new Error(
      'libmtoken: this package was bundled, and its addon is not where it was put. Leave the package outside: ' +
        '--external:libmtoken (esbuild), externals: { libmtoken: "commonjs libmtoken" } (webpack), ' +
        'serverExternalPackages: ["libmtoken"] (Next.js)'
    )
  throw new Error(
    `libmtoken: no addon for ${platform} in ${folder}. This package has the one for linux-x64 with glibc; ` +
      'build others with "make node" in the source tree, and name the result in MTOKEN_NODE_ADDON'
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
