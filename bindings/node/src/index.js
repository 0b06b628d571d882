'use strict'

const core = require('./core.js')
const generated = require('./generated.js')
const { path } = require('./library.js')
const { Handle, LOOP, errors, raw } = core
const { Event, Runtime } = generated

core.classes.Event = Event

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
  return {
    next: () => this[LOOP].read(this, call?.signal),
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
  Turn: core.Turn,
  EncryptedRequest: core.EncryptedRequest,
  libraryPath: path,
  versionNumber: raw.mtoken_version_number
}
