// SPDX-License-Identifier: Apache-2.0
'use strict'
// The development server, for tests: started once a test file, ended with it.

const { spawn } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const root = join(__dirname, '..', '..', '..')

async function startServer() {
  const python = process.env.MTOKEN_PYTHON ?? join(root, 'build', 'venv', 'bin', 'python')
  const child = spawn(python, ['-m', 'mtoken_devserver', '--json', '--http-port', '0', '--exit-with-parent'], {
    cwd: join(root, 'examples', 'devserver'),
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let text = ''
  for await (const part of child.stdout) {
    text += part
    if (text.includes('\n')) break
  }
  return new Server(JSON.parse(text), child)
}

class Server {
  constructor(ready, child) {
    this.ready = ready
    this.child = child
    this.folder = mkdtempSync(join(tmpdir(), 'mtoken-node-'))
  }
  async admin(method, path, body) {
    const answer = await fetch(`${this.ready.httpUrl}/admin${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
  options(id, store, more) {
    return {
      id,
      configuration: this.ready.application.sdkConfig,
      baseUrl: this.ready.url,
      caFile: this.ready.caFile,
      store,
      ...more
    }
  }
  /** An activated client of a new user. */
  async activated(mtoken, runtime, id, store, auth) {
    const client = await mtoken.Client.new(runtime, this.options(id, store))
    const activation = await this.admin('POST', '/activations', { userId: id })
    await client.activate({
      code: activation.activationQr ?? activation.activationCode
    })
    await client.persist(auth)
    await this.admin('POST', `/activations/${activation.activationId}/commit`)
    await client.fetchStatus()
    return client
  }
  stop() {
    this.child.stdin.end()
    this.child.unref()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

module.exports = { startServer, root }
