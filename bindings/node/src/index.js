// SPDX-License-Identifier: Apache-2.0
'use strict'

const core = require('./core.js')
const generated = require('./generated.js')
const { path } = require('./library.js')
const { Handle, LOOP, errors, raw, signalOf } = core
const { Event, Runtime } = generated

// Each object belongs to a runtime, whose one descriptor tells of all its tasks and events.

const closeHandle = Handle.prototype.close
Runtime.prototype.close = function close() {
  if (this.isClosed) return
  const loop = this[LOOP]
  loop.stop()
  closeHandle.call(this)
  loop.end()
}
Runtime.prototype.events = function events(call) {
  const signal = signalOf(call)
  return {
    next: async () => {
      const value = await this[LOOP].read(this, signal)
      return { value, done: value === undefined }
    },
    return: async () => ({ value: undefined, done: true }),
    [Symbol.asyncIterator]() {
      return this
    }
  }
}

const challenges = new WeakMap()
Event.prototype.take = function take(challenge) {
  challenges.set(this, challenge)
}
Object.defineProperty(Event.prototype, 'challenge', {
  get() {
    return challenges.get(this) ?? null
  }
})

module.exports = {
  ...generated,
  ...errors,
  Handle,
  Turn: core.Turn,
  EncryptedRequest: core.EncryptedRequest,
  libraryPath: path,
  versionNumber: raw.mtoken_version_number
}
