// SPDX-License-Identifier: Apache-2.0
'use strict'
// The base of the generated classes: objects and their lifetime, errors, tasks as promises, events.

const { markAsUntransferable } = require('node:worker_threads')
const { raw } = require('./library.js')

const LOOP = Symbol('loop')
const inspect = Symbol.for('nodejs.util.inspect.custom')
const dispose = Symbol.dispose ?? Symbol.for('nodejs.dispose')

const classes = {}

// Errors

/** Why a call failed. `code` says what, `reason` why in more detail, `outcome` how far the request got. */
class MTokenError extends Error {
  constructor(status, code, details, isOperationOver) {
    super(details?.message ?? `the call failed: ${code}`)
    this.name = this.constructor.name
    this.code = code
    this.status = status
    this.outcome = details?.outcome ?? 0
    this.reason = details?.reason ?? ''
    this.httpStatus = details?.httpStatus ?? 0
    this.remainingAttempts = details?.remainingAttempts ?? -1
    this.serverCode = details?.serverCode ?? null
    this.serverMessage = details?.serverMessage ?? null
    this.serverUri = details?.serverUri ?? null
    this.serverCodeNumber = details?.serverCodeNumber ?? 0
    this.isRetriable = details?.isRetriable ?? false
    this.networkFault = details?.networkFault ?? 0
    this.tlsFault = details?.tlsFault ?? 0
    this.byteOffset = details?.byteOffset ?? -1
    this.line = details?.line ?? 0
    this.recoveryPukIndex = details?.recoveryPukIndex ?? 0
    this.upstreamReason = details?.upstreamReason ?? ''
    this.retryAfterMs = details?.retryAfterMs ?? -1
    this.correlationId = details?.correlationId ?? null
    this.customInfo = details?.customInfo ?? null
    this.isOperationOver = isOperationOver
    if (details?.cause != null) this.cause = new Error(details.cause)
  }
  toJSON() {
    const cause = this.cause instanceof Error ? { name: this.cause.name, message: this.cause.message } : this.cause
    return { ...this, message: this.message, cause }
  }
}

const errors = { MTokenError }
const byStatus = new Map()
let statuses

function makeErrorClasses() {
  for (const [name, status] of Object.entries(statuses)) {
    if (status === 0) continue
    const code = name.replace(/^ERROR_/, '')
    const title = `${code.toLowerCase().replace(/(^|_)(.)/g, (_, _line, letter) => letter.toUpperCase())}Error`
    const made = { [title]: class extends MTokenError {} }[title]
    errors[title] = made
    byStatus.set(status, [made, code])
  }
}

function makeError(status, details, isOperationOver) {
  const [Kind, code] = byStatus.get(status) ?? [MTokenError, 'INTERNAL']
  return new Kind(status, code, details, isOperationOver)
}

/** An error of ours, as the library would make it. */
function cancelled(signal) {
  const made = makeError(statuses.ERROR_CANCELLED, { message: 'the call was cancelled before it began' }, false)
  if (signal.reason !== undefined) made.cause = signal.reason
  return made
}

// What plain copies are made of: whole numbers and real ones. A result that is larger than most has memory of its own, until
// the next one.
const SLOTS = 131072
const REALS = 32768
const memory = raw.memory(SLOTS, REALS)

function rowsOf(memory, slots, reals) {
  const whole = new Int32Array(memory, 0, slots)
  const real = new Float64Array(memory, slots * 4, reals)
  // The first of two real numbers is none if the next one has the bits of a whole one: see flat.h.
  const exact = (at) => {
    const number = real[at]
    return Number.isNaN(number) ? new BigInt64Array(real.buffer, real.byteOffset + 8 * (at + 1), 1)[0] : number
  }
  return { whole, reals: real, exact, bytes }
}

let make

function setMakers(makersOf, known) {
  statuses = known
  makeErrorClasses()
  const first = makersOf(rowsOf(memory, SLOTS, REALS))
  let makers = first
  make = (texts, index, held, given) => makers[index](texts, held, given)
  const useMemory = (larger, slots, reals) => {
    makers = larger === undefined ? first : makersOf(rowsOf(larger, slots, reals))
  }
  raw.setMakers(make, makeError, useMemory, makePool)
  raw.whole = (base, index) => make(flat(raw.flats[index], base), index)
  return make
}

// Results of bytes are parts of one buffer, as those of Buffer.allocUnsafe are; one that has room for no more is let go.
// The class of a buffer is what Buffer makes its slices of.
const POOL = 8192
const Made = Buffer[Symbol.species]
let pool = null

function makePool(size) {
  pool = new ArrayBuffer(Math.max(POOL, size))
  markAsUntransferable(pool)
  return pool
}

/** A struct for its maker. A host can detach what it has a part of: the addon puts nothing more into such a pool. */
function flat(read, base, length) {
  if (pool !== null && pool.byteLength === 0) raw.dropPool()
  return read(base, length)
}

/** What the addon has put there; -1: there is nothing. */
function bytes(begin, end) {
  return begin < 0 ? null : new Made(pool, begin, end - begin)
}

// Results. What a program reads of one is a copy, as own members; secrets and objects are behind getters, so that no text, copy
// or comparison has them. What can be handed to the library again also knows where the library has it.

// What the library reads as an address must be one, of a struct of that kind. So nothing else can make such a result: neither
// its constructor nor its prototype in the hands of a program, as both want what no program has.
const KEY = Symbol('libmtoken')

function refuse(name) {
  throw new TypeError(`${name} is made by the library: see the functions that return one`)
}

/** What the library keeps of a result, and frees when it is closed or nothing refers to it any more. */
class Held {
  /** `base`: its address, of what is freed with `batch`; others are objects of the addon. */
  constructor(base, batch) {
    this.base = base
    this.batch = batch
    this.root = 0
    this.isClosed = false
  }
}

// The class of each kind has its own private members and no base class, whose constructor would take longer than all else
// that makes one. For each kind, what gives those of its objects.
const helds = []
const addresses = []

function viewed(Kind, kind, held, address) {
  helds[kind] = held
  addresses[kind] = address
  Object.defineProperty(Kind.prototype, dispose, {
    value() {
      this.close()
    }
  })
}

/** Makes a result that the library keeps. `given`: an argument that it has as it is. */
function rooted(kind, text, held, given) {
  const object = make(text, kind, held, given)
  held.root = addresses[kind](object)
  return object
}

/** Closes what is not a part of another result. */
function end(held, address) {
  if (held === undefined || held.isClosed || held.root !== address) return
  held.isClosed = true
  raw.release(held.base, held.batch)
}

/** The address of a struct that is handed to the library again. */
function view(value, Kind, kind, name) {
  if (value == null) return null
  if (!(value instanceof Kind)) throw new TypeError(`${name} must be ${article(Kind.name)} of this library`)
  const held = helds[kind](value)
  if (held === undefined) throw new TypeError(`${name} is a copy, which the library does not know`)
  if (held.isClosed) throw makeError(statuses.ERROR_HANDLE, { message: `${name} was closed` }, false)
  return addresses[kind](value)
}

// What the addon frees together. A batch is ended with the turn of the loop, so that a struct that is kept for long
// keeps only what was made beside it.
const BATCH = 32
let batch
let room = 0

function endBatch() {
  batch = undefined
  room = 0
  raw.endBatch()
}

/** Before a call that gives a struct. */
function begin() {
  if (room > 0) return
  if (batch === undefined) queueMicrotask(endBatch)
  batch = raw.batch()
  room = BATCH
}

/** What has a number for its base was added to the batch; others are objects of the addon. `given`: the text that the struct was
 * read from, which it has as it is. */
function owned(kind, base, given) {
  if (base === null) return null
  const isInBatch = typeof base === 'number'
  if (isInBatch) room--
  const held = new Held(base, isInBatch ? batch : undefined)
  if (given === undefined) return rooted(kind, flat(raw.flats[kind], base), held)
  const text = typeof given === 'string' ? given : Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString()
  return rooted(kind, flat(raw.flats[kind], base, text.length) ?? text, held, text)
}

/** A struct that lives in another one. */
function lent(kind, address, owner, ownerKind) {
  return address === null ? null : make(flat(raw.flats[kind], address), kind, helds[ownerKind](owner))
}

// Handles

/** The number that the library knows an object by; 0 after it was closed. The library checks it. */
let number
let keep
/** A runtime's loop, which ends with it. */
let turn
const lost = new FinalizationRegistry(({ value, free, loop }) => {
  loop?.stop()
  raw[`${free}_elsewhere`](value).catch(() => {})
})

class Handle {
  #value
  #free
  #lost
  // biome-ignore lint/correctness/noUnusedPrivateClassMembers: it is kept, not read
  #owner
  static {
    number = (object) => object.#value
    keep = (object, owner) => {
      object.#owner = owner
    }
    turn = (runtime, loop) => {
      runtime.#lost.loop = loop
      runtime[LOOP] = loop
    }
  }
  constructor(key, value, free) {
    if (key !== KEY) refuse(new.target.name)
    this.#value = value
    this.#free = free
    this.#lost = { value, free, loop: null }
    lost.register(this, this.#lost, this)
  }
  /** Frees the object. Later calls fail with a HandleError. May wait for the disk. */
  close() {
    const value = this.#value
    if (value === 0) return
    lost.unregister(this)
    this.#value = 0
    raw[this.#free](value)
  }
  get isClosed() {
    return this.#value === 0
  }
  [dispose]() {
    this.close()
  }
  [inspect]() {
    return `${this.constructor.name} {${this.isClosed ? 'closed' : ''}}`
  }
}

function article(name) {
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`
}

function handle(value, kind, name) {
  if (value == null) return null
  if (!(value instanceof classes[kind])) throw new TypeError(`${name} must be ${article(kind)}`)
  return number(value)
}

/** What an object belongs to lives as long as it. */
function made(object, owner) {
  const loop = owner?.[LOOP]
  if (owner) keep(object, owner)
  if (loop) {
    object[LOOP] = loop
    know(object)
  } else if (object instanceof classes.Runtime) {
    turn(object, new Loop(number(object)))
  }
  return object
}
Object.defineProperty(Handle.prototype, LOOP, {
  value: undefined,
  writable: true,
  enumerable: false
})

// Options

function known(options, names, what, required) {
  if (options == null) {
    if (required) throw new TypeError(`${what} must be an object`)
    return
  }
  if (typeof options !== 'object') throw new TypeError(`${what} must be an object`)
  for (const name in options) {
    if (!names.has(name)) throw new TypeError(`${what} has no member ${name}`)
  }
}

function elements(values, names, what) {
  if (values == null) return null
  if (!Array.isArray(values)) throw new TypeError(`${what} must be an array`)
  const allowed = new Set(names)
  return values.map((value) => {
    known(value, allowed, what, true)
    return names.map((name) => value[name])
  })
}

// Tasks and events

/** Where the program has called, for the error of what ends later. */
function caller(before) {
  const trace = {}
  Error.captureStackTrace(trace, before)
  return trace
}

function calledAt(error, trace) {
  const frames = String(trace.stack)
  const begin = frames.indexOf('\n    at ')
  if (error instanceof MTokenError && begin >= 0) error.stack = `${error.name}: ${error.message}${frames.slice(begin)}`
  return error
}

/** A call that continues elsewhere. */
function traced(promise) {
  const trace = caller(traced)
  return promise.catch((error) => {
    throw calledAt(error, trace)
  })
}

// A signal has one listener of ours, whatever it cancels: from the eleventh on, Node.js warns of a leak.
const watched = new WeakMap()

function onAbort(signal, action) {
  let entry = watched.get(signal)
  if (entry === undefined) {
    const actions = new Set()
    const listener = () => {
      watched.delete(signal)
      for (const each of actions) each()
    }
    entry = { actions, listener }
    watched.set(signal, entry)
    signal.addEventListener('abort', listener, { once: true })
  }
  entry.actions.add(action)
}

function offAbort(signal, action) {
  const entry = watched.get(signal)
  if (entry === undefined || !entry.actions.delete(action) || entry.actions.size > 0) return
  watched.delete(signal)
  signal.removeEventListener('abort', entry.listener)
}

const callNames = new Set(['signal'])

/** The signal of what a call was given, or undefined. */
/** Whether a call has more than its signal: a time limit, headers. */
function optioned(call) {
  if (call == null || typeof call !== 'object') return false
  for (const name in call) if (!callNames.has(name)) return true
  return false
}

/** Runs a call with options of its own. */
async function through(client, call, run) {
  const { signal, ...options } = call
  const other = client.withOptions(options)
  try {
    return await run(other, { signal })
  } finally {
    other.close()
  }
}

function signalOf(call) {
  known(call, callNames, 'call', false)
  const signal = call?.signal
  if (signal == null) return undefined
  if (typeof signal.aborted !== 'boolean' || typeof signal.addEventListener !== 'function')
    throw new TypeError('signal must be an AbortSignal')
  return signal
}

/** The same before the call has begun: one that is cancelled already does not begin. */
function ready(call) {
  const signal = signalOf(call)
  if (signal?.aborted) throw cancelled(signal)
  return signal
}

// Objects that events and messages name, by their handles.
const objects = new Map()

function know(object) {
  if (objects.size > 64 && objects.size % 64 === 0) {
    for (const [key, reference] of objects) if (!reference.deref()) objects.delete(key)
  }
  objects.set(number(object), new WeakRef(object))
}

function objectOf(kind, value) {
  const found = objects.get(value)?.deref()
  return found !== undefined && found instanceof classes[kind] ? found : null
}

class Loop {
  #runtime
  #pending = new Map()
  #tag = 0
  #watch
  #queue = []
  #readers = []
  constructor(runtime) {
    this.#runtime = runtime
    this.#watch = raw.watch(raw.mtoken_runtime_fd(runtime), () => this.#drain())
  }
  #refer() {
    if (this.#runtime !== 0) raw.refer(this.#watch, this.#pending.size > 0 || this.#readers.length > 0)
  }
  /** `tells`: the task has a result also when it has failed. */
  add(owner, task, finish, signal, tells) {
    const trace = caller(start)
    return new Promise((resolve, reject) => {
      const tag = ++this.#tag
      const abort = signal && (() => raw.mtoken_task_cancel(task))
      try {
        raw.mtoken_task_notify(task, tag)
      } catch (error) {
        raw.mtoken_task_free(task)
        reject(error)
        return
      }
      this.#pending.set(tag, { owner, task, finish, tells, resolve, reject, signal, abort, trace })
      if (this.#pending.size === 1) this.#refer()
      if (signal?.aborted) abort()
      else if (signal) onAbort(signal, abort)
    })
  }
  #settle(tag) {
    const entry = this.#pending.get(tag)
    if (!entry) return
    this.#pending.delete(tag)
    if (this.#pending.size === 0) this.#refer()
    const { task, signal, finish } = entry
    if (signal) offAbort(signal, entry.abort)
    try {
      const error = raw.settle(task)
      if (error === undefined) {
        entry.resolve(finish(task))
        return
      }
      calledAt(error, entry.trace)
      if (signal?.aborted && error.code === 'CANCELLED') error.cause = signal.reason
      if (entry.tells) error.mobileAuth = finish(task)
      else raw.mtoken_task_free(task)
      entry.reject(error)
    } catch (failure) {
      raw.mtoken_task_free(task)
      entry.reject(failure)
    }
  }
  #drain() {
    for (;;) {
      const found = raw.next(this.#runtime)
      if (found === null) return
      if (typeof found === 'number') this.#settle(found)
      else this.#deliver(found)
    }
  }
  #deliver(base) {
    const event = owned(raw.eventStruct, base)
    const taken = raw.mtoken_event_take_challenge(addresses[raw.eventStruct](event))
    if (taken !== null) event.take(made(new classes.Challenge(KEY, taken), event.client ?? { [LOOP]: this }))
    const reader = this.#readers.shift()
    if (reader) reader.resolve(event)
    else this.#queue.push(event)
    this.#refer()
  }
  /** The next event; undefined when there will be none. */
  read(runtime, signal) {
    if (this.#queue.length) return Promise.resolve(this.#queue.shift())
    if (this.#runtime === 0 || signal?.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const abort = () => {
        this.#readers.splice(this.#readers.indexOf(reader), 1)
        this.#refer()
        resolve(undefined)
      }
      const reader = {
        runtime,
        resolve: (event) => {
          if (signal) offAbort(signal, abort)
          resolve(event)
        }
      }
      this.#readers.push(reader)
      this.#refer()
      if (signal) onAbort(signal, abort)
    })
  }
  /** Before the runtime is freed: nothing is watched any more. */
  stop() {
    this.#runtime = 0
    raw.unwatch(this.#watch)
  }
  /** After the runtime was freed: its tasks have ended, but their events are lost. */
  end() {
    for (const tag of [...this.#pending.keys()]) this.#settle(tag)
    for (const reader of this.#readers.splice(0)) reader.resolve(undefined)
  }
}

function start(owner, task, finish, signal, tells) {
  return owner[LOOP].add(owner, task, finish, signal, tells)
}

function nothing(task) {
  raw.mtoken_task_free(task)
}

/** A struct that lives in a task, which is freed with it. */
function adopted(kind, address, task, release) {
  if (address !== null) return owned(kind, raw.adopt(address, task, release))
  raw.mtoken_task_free(task)
  return null
}

function taken(task, value) {
  raw.mtoken_task_free(task)
  return value
}

function whole(address, index) {
  return address === null ? null : raw.whole(address, index)
}

/** The turn of a host that signs requests of its own: give it back when the server has answered. */
class Turn extends Handle {
  constructor(key, task) {
    super(key, task, 'mtoken_task_free')
  }
  give() {
    raw.mtoken_task_give_turn(number(this))
    this.close()
  }
}

/** A body that was encrypted for the server, and what decrypts the answer to it. */
class EncryptedRequest extends Handle {
  #request
  constructor(key, task, request) {
    super(key, task, 'mtoken_task_free')
    this.#request = request
  }
  get body() {
    return this.#request.body
  }
  get headerName() {
    return this.#request.headerName
  }
  get headerValue() {
    return this.#request.headerValue
  }
  /** The plaintext of the server's answer, once. */
  decrypt(answer) {
    return raw.mtoken_task_decrypt(number(this), answer)
  }
}

module.exports = {
  raw,
  LOOP,
  KEY,
  refuse,
  viewed,
  objectOf,
  end,
  number,
  Handle,
  Turn,
  EncryptedRequest,
  classes,
  errors,
  handle,
  view,
  begin,
  owned,
  lent,
  made,
  known,
  elements,
  signalOf,
  ready,
  optioned,
  through,
  start,
  traced,
  nothing,
  adopted,
  taken,
  whole,
  setMakers
}
