// SPDX-License-Identifier: Apache-2.0
'use strict'
// Plays conformance documents (Tests/conformance/README.md) through the package. What it needs to know of names comes from
// calls.json, which bindings/generate writes.

const http = require('node:http')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { randomUUID } = require('node:crypto')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const mtoken = require(process.env.MTOKEN_NODE_PACKAGE ?? 'libmtoken')
const description = JSON.parse(readFileSync(process.env.MTOKEN_DESCRIPTION, 'utf8'))
const calls = JSON.parse(readFileSync(process.env.MTOKEN_NODE_CALLS, 'utf8'))

const LACKS = new Set(['bad-text', 'fork', 'freed-tasks', 'null-handles', 'other-handles', 'raw-members', 'struct-size'])
const MINUTE = 60_000
const byName = (items) => new Map(items.map((item) => [item.name, item]))
const functions = byName(description.functions)
const structs = byName(description.structs)
const constants = new Map(description.constants.map((item) => [item.name, item.value]))
for (const item of description.enums) for (const value of item.values) constants.set(value.name, value.value)

class Failed extends Error {}

const camel = (words) => words.replace(/_(.)/g, (_, letter) => letter.toUpperCase())

// A value of the library with its type in C, so that paths can have C's names.
class Typed {
  constructor(type, value) {
    this.type = type
    this.value = value
  }
}

// A call under way: what C calls a task.
class Task {
  constructor(name, start) {
    this.controller = new AbortController()
    this.state = 'MTOKEN_TASK_RUNNING'
    this.name = name
    this.promise = start({ signal: this.controller.signal }).then(
      (value) => {
        this.state = 'MTOKEN_TASK_SUCCEEDED'
        this.result = value
        return null
      },
      (error) => {
        this.state = error.code === 'CANCELLED' ? 'MTOKEN_TASK_CANCELLED' : 'MTOKEN_TASK_FAILED'
        this.failure = error
        return error
      }
    )
  }
  /** A call that C refuses at once has failed before the loop turns. */
  async begun() {
    await new Promise(process.nextTick)
    if (this.failure) throw this.failure
    return this
  }
  got(getter) {
    if (this.state !== 'MTOKEN_TASK_SUCCEEDED') return null
    const getters = calls[this.name].getters
    return getters.length > 1 ? this.result[camel(getter.replace('mtoken_task_', ''))] : this.result
  }
}

// What the library gives

function given(described, value) {
  const { role, type } = described
  if (value === undefined) return null
  if (described.values === 'mtoken_answer') return value === null ? -1 : Number(value)
  if (typeof value === 'boolean') return Number(value)
  if (Array.isArray(value) && type.kind === 'struct') return value.map((item) => new Typed(type.name, item))
  if (
    role !== 'text' &&
    role !== 'bytes' &&
    type.kind === 'struct' &&
    value !== null &&
    typeof value === 'object' &&
    !Buffer.isBuffer(value)
  ) {
    return new Typed(type.name, value)
  }
  return value
}

function member(owner, name) {
  const described = structs.get(owner.type)?.members.find((item) => item.name === name)
  if (!described) throw new Failed(`${owner.type} has no member ${name}`)
  if (described.role === 'count' || described.role === 'length') {
    const pair = owner.value[camel(described.pair)]
    if (pair === null) return 0
    return typeof pair === 'string' ? Buffer.byteLength(pair) : pair.length
  }
  if (owner.type === 'mtoken_error' && name === 'code') return owner.value.status ?? owner.value.code
  return given(described, owner.value[camel(name)])
}

function follow(value, path) {
  let position = 0
  while (position < path.length) {
    const part = /^(?:\.?(\w+)|\[(\d+)\])/.exec(path.slice(position))
    if (!part) throw new Failed(`${path} is no path`)
    position += part[0].length
    if (part[2] !== undefined) {
      if (!Array.isArray(value) || Number(part[2]) >= value.length) throw new Failed(`${path} does not exist`)
      value = value[Number(part[2])]
    } else if (value instanceof Typed) {
      value = member(value, part[1])
    } else if (value !== null && typeof value === 'object' && Object.hasOwn(value, part[1])) {
      value = value[part[1]]
    } else {
      throw new Failed(`${path} does not exist`)
    }
  }
  return value
}

// What the library takes

function number(value) {
  if (typeof value !== 'string') return value
  return value.split('|').reduce((total, name) => {
    if (!constants.has(name)) throw new Failed(`there is no constant ${name}`)
    return total | constants.get(name)
  }, 0)
}

function content(value) {
  if (typeof value === 'string') return Buffer.from(value)
  if (value?.hex !== undefined) return Buffer.from(value.hex, 'hex')
  if (value?.base64 !== undefined) return Buffer.from(value.base64, 'base64')
  return value
}

function taken(described, value) {
  const { role, type } = described
  if (value === undefined || value === null) return null
  if (value instanceof Typed) return value.value
  if (role === 'value') return described.bool ? Boolean(value) : number(value)
  if (role === 'bytes' || type.name === 'mtoken_bytes') return content(value)
  if (role === 'text' || (type.name === 'mtoken_text' && role !== 'array')) {
    return typeof value === 'string' ? value : content(value).toString()
  }
  if (role === 'array') {
    return value.map((item) => (type.name === 'mtoken_text' ? taken({ role: 'text', type }, item) : object(type.name, item)))
  }
  if (type.kind === 'struct' && typeof value === 'object') return object(type.name, value)
  return value
}

function object(name, members) {
  const described = structs.get(name).members
  const made = {}
  for (const [key, value] of Object.entries(members)) {
    const found = described.find((item) => item.name === key)
    if (!found) throw new Failed(`${name} has no member ${key}`)
    made[camel(key)] = taken(found, value)
  }
  return made
}

// Functions whose work the package does by itself.
const own = {
  mtoken_client_free: ({ client }) => client.close(),
  mtoken_runtime_free: ({ runtime }) => runtime.close(),
  mtoken_store_free: ({ store }) => store.close(),
  mtoken_task_free: () => undefined,
  mtoken_task_cancel: ({ task }) => {
    task.controller.abort()
    return 0
  },
  mtoken_task_get_state: async ({ task }) => {
    await new Promise(setImmediate)
    return constants.get(task.state)
  },
  mtoken_task_wait: async ({ task, timeout_ms: timeout }) => {
    if (timeout === 0) {
      await new Promise(setImmediate)
      return task.state === 'MTOKEN_TASK_RUNNING' ? constants.get('MTOKEN_ERROR_TIMEOUT') : 0
    }
    await task.promise
    return 0
  },
  mtoken_task_join: async ({ task }) => {
    const error = await task.promise
    if (error) throw error
    return 0
  },
  mtoken_error_is_operation_over: ({ error }) => Number(error?.value.isOperationOver ?? false),
  mtoken_event_take_challenge: ({ received }) => received.value.challenge
}

async function called(name, described, given_) {
  if (own[name]) return { result: await own[name](given_) }
  if (name.startsWith('mtoken_task_')) {
    const found = given_.task.got(name)
    return { result: given(described.result, found) }
  }
  const call = calls[name]
  const parameters = described.parameters.filter(
    (item) => !['length', 'count', 'error'].includes(item.role) && !item.role.startsWith('out_')
  )
  const values = parameters.map((item) => taken(item, given_[item.name]))
  let receiver = call.maker ? mtoken[call.maker] : call.owner ? values.shift() : mtoken
  if (call.group) receiver = receiver[call.group]
  if (call.task) {
    if (call.outs.length) {
      const made = receiver[call.method](...values)
      return {
        [call.outs[0].name]: made,
        out_task: new Task(name, () => made.completed)
      }
    }
    return {
      out_task: await new Task(name, (options) => receiver[call.method](...values, options)).begun()
    }
  }
  const found = await receiver[call.method](...values)
  const outs = [...call.outs]
  const record = {}
  if (described.result.role !== 'status' && described.result.role !== 'nothing') {
    record.result = given(described.result, outs.length ? found.name : found)
  }
  for (const out of outs) {
    const item = described.parameters.find((parameter) => parameter.name === out.name)
    const single = outs.length === 1 && record.result === undefined
    record[out.name] = given(item, single ? found : found[camel(out.name.replace('out_', ''))])
  }
  return record
}

// Steps

class Case {
  constructor(described, folder) {
    this.variables = { ...described.variables, unique: randomUUID(), folder }
    this.objects = []
    this.steps = 0
    this.checks = 0
  }
  value(item) {
    if (Array.isArray(item)) return item.map((part) => this.value(part))
    if (item !== null && typeof item === 'object') {
      return Object.fromEntries(Object.entries(item).map(([key, part]) => [key, this.value(part)]))
    }
    if (typeof item !== 'string') return item
    const only = /^\$\{([^}]*)\}$/.exec(item)
    if (only) return follow(this.variables, only[1])
    return item.replace(/\$\{([^}]*)\}/g, (_, path) => String(follow(this.variables, path)))
  }
  check(truth, message) {
    this.checks++
    if (!truth) throw new Failed(message())
  }
  after(step, record) {
    for (const [path, expected] of Object.entries(step.expect ?? {})) {
      const found = follow(record, path)
      const wanted = this.value(expected)
      this.check(holds(found, wanted), () => `${path} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
    }
    for (const [name, path] of Object.entries(step.keep ?? {})) this.variables[name] = follow(record, path)
  }
  status(error, step) {
    const wanted = step.fails ?? 'MTOKEN_OK'
    const found = error === null ? 0 : typeof error === 'number' ? error : error.status
    this.check(found === constants.get(wanted), () => `status ${found} instead of ${wanted}: ${error?.message ?? ''}`)
  }
  async play(step) {
    this.steps++
    for (const kind of ['call', 'wait', 'event', 'read', 'http']) if (kind in step) return this[kind](step)
    throw new Failed(`a step of no kind: ${Object.keys(step)}`)
  }
  async call(step) {
    const described = functions.get(step.call)
    const record = { error: null, result: null }
    for (const item of described.parameters) if (item.role.startsWith('out_')) record[item.name] = null
    let error = null
    try {
      Object.assign(record, await called(step.call, described, this.value(step.with ?? {})))
    } catch (problem) {
      if (!(problem instanceof mtoken.MTokenError)) throw problem
      error = problem
      record.error = new Typed('mtoken_error', problem)
    }
    for (const item of Object.values(record)) if (typeof item?.close === 'function') this.objects.push(item)
    if (described.result.role === 'status') {
      this.status(error ?? (typeof record.result === 'number' ? record.result : null), step)
      record.result = error?.status ?? record.result ?? 0
    } else if (error) {
      throw error
    }
    this.after(step, record)
  }
  async wait(step) {
    const task = this.value(step.wait)
    const late = new Promise((resolve) => setTimeout(resolve, MINUTE, 'late').unref())
    const error = await Promise.race([task.promise, late])
    if (error === 'late') throw new Failed('it did not end within a minute')
    this.status(error, step)
    const record = {
      error: error && new Typed('mtoken_error', error),
      result: null
    }
    if (step.get) record.result = given(functions.get(step.get).result, task.got(step.get))
    this.after(step, record)
  }
  async event(step) {
    const runtime = this.value(step.event)
    for (;;) {
      const { value, done } = await runtime.events({ signal: AbortSignal.timeout(MINUTE) }).next()
      if (done) throw new Failed(`no event ${step.kind}`)
      if (value.kind !== constants.get(step.kind)) continue
      this.after(step, { event: new Typed('mtoken_event', value) })
      return
    }
  }
  async read(step) {
    this.after(step, { value: this.value(step.read) })
  }
  async http(step) {
    const body = 'body' in step ? JSON.stringify(this.value(step.body)) : this.value(step.text ?? '')
    const headers = {
      'content-type': 'application/json',
      connection: 'close',
      ...this.value(step.headers ?? {})
    }
    const { status, text } = await request(this.value(step.url), { method: step.http, headers }, body)
    const good = step.status === undefined ? status >= 200 && status < 300 : status === step.status
    this.check(good, () => `${step.http} ${this.value(step.url)}: HTTP status ${status}: ${text}`)
    this.after(step, { status, body: text ? JSON.parse(text) : null })
  }
  end() {
    for (const object_ of this.objects.reverse()) object_.close()
  }
}

/** The fetch of early versions of Node 18 loses answers. */
function request(url, options, body) {
  return new Promise((resolve, reject) => {
    const sent = http.request(url, options, (answer) => {
      const parts = []
      answer.setEncoding('utf8').on('data', (part) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, text: parts.join('') })).on('error', reject)
    })
    sent.on('error', reject).end(body)
  })
}

function same(found, wanted) {
  if (Buffer.isBuffer(wanted) || wanted instanceof Uint8Array)
    return Buffer.isBuffer(found) && Buffer.compare(found, wanted) === 0
  if (typeof found === 'number' && typeof wanted === 'string') {
    return wanted.split('|').every((name) => constants.has(name)) && found === number(wanted)
  }
  if (typeof wanted === 'boolean') return found === Number(wanted) || found === wanted
  return found === wanted
}

function holds(found, wanted) {
  if (wanted !== null && typeof wanted === 'object' && !(wanted instanceof Typed) && Object.keys(wanted).length === 1) {
    const [[key, value]] = Object.entries(wanted)
    switch (key) {
      case 'not':
        return !holds(found, value)
      case 'at_least':
        return typeof found === 'number' && found >= value
      case 'at_most':
        return typeof found === 'number' && found <= value
      case 'begins':
        return typeof found === 'string' && found.startsWith(value)
      case 'contains':
        return typeof found === 'string' && found.includes(value)
      case 'length':
        return (typeof found === 'string' || Buffer.isBuffer(found)) && Buffer.from(found).length === value
      case 'one_of':
        return value.some((item) => holds(found, item))
      case 'hex':
      case 'base64':
        return same(found, content(wanted))
    }
  }
  if (found instanceof Typed && wanted instanceof Typed) return found.value === wanted.value
  return same(found, wanted)
}

async function main() {
  const lacks = new Set()
  let steps = 0
  let checks = 0
  for (const path of process.argv.slice(2)) {
    const document = JSON.parse(readFileSync(path, 'utf8'))
    for (const described of document.cases) {
      const missing = described.needs.filter((need) => LACKS.has(need))
      if (missing.length) {
        for (const need of missing) lacks.add(need)
        continue
      }
      const folder = mkdtempSync(join(tmpdir(), 'mtoken-conformance-'))
      const played = new Case(described, folder)
      let at = 0
      try {
        for (const step of described.steps) {
          at++
          await played.play(step)
        }
      } catch (problem) {
        const text = problem instanceof Failed ? problem.message : problem.stack
        console.error(`${document.name}, ${described.name}, step ${at}: ${text}`)
        process.exitCode = 1
        played.end()
        return
      }
      played.end()
      rmSync(folder, { recursive: true, force: true })
      steps += played.steps
      checks += played.checks
    }
  }
  for (const need of lacks) console.log(`not applicable: ${need}`)
  console.log(`steps ${steps}, checks ${checks}`)
}

main()
