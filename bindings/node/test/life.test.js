// SPDX-License-Identifier: Apache-2.0
'use strict'
// The package against the development server: calls, errors, bad input, life and death of objects.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { test } = require('node:test')
const { basename, dirname, join } = require('node:path')
const { format, inspect } = require('node:util')
const { Worker } = require('node:worker_threads')
const { root, startServer } = require('./server.js')

const where = process.env.MTOKEN_NODE_PACKAGE ?? 'libmtoken'
const mtoken = require(where)
const core = join(dirname(require.resolve(where)), 'core.js')
const { raw } = require(core)

/** Tries something while functions of the addon are others. */
async function instead(functions, attempt) {
  const former = Object.fromEntries(Object.keys(functions).map((name) => [name, raw[name]]))
  Object.assign(raw, functions)
  try {
    await attempt()
  } finally {
    Object.assign(raw, former)
  }
}

const description = () => JSON.parse(readFileSync(join(root, 'build', 'generated', 'mtoken.abi.json'), 'utf8'))
const auth = { pin: Buffer.from('1234') }
let server
let runtime
let store

// The first and the last test, which run in this order, are what others call hooks: early versions of Node 18 have none.
test('a runtime and a store are made', async () => {
  server = await startServer()
  runtime = mtoken.Runtime.new()
  store = mtoken.Store.memory()
})

function payment(user) {
  const parameters = {
    amount: '1250.50',
    currency: 'EUR',
    iban: 'CZ5508000000001234567899',
    note: 'Rent'
  }
  return server.admin('POST', '/operations', {
    userId: user,
    template: 'authorize_payment',
    parameters
  })
}

test('an operation is approved, and cannot be approved again', async () => {
  const client = await server.activated(mtoken, runtime, 'anna', store, auth)
  const created = await payment('anna')
  const list = await client.operations.list()
  assert.equal(list.operations.length, 1)
  const operation = list.operations[0]
  assert.equal(operation.id, created.operationId)
  assert.equal(operation.attributes.find((item) => item.amount)?.amount.amount, '1250.50')
  assert.deepEqual(JSON.parse(operation.json).data, operation.operationData)
  await client.operations.authorize(operation, auth)
  assert.equal((await server.admin('GET', `/operations/${created.operationId}`)).status, 'APPROVED')
  await assert.rejects(client.operations.detail(created.operationId), (error) => {
    assert.ok(error instanceof mtoken.MTokenError && error instanceof Error)
    assert.ok(error.isOperationOver)
    assert.equal(error.outcome, mtoken.Outcome.ANSWERED)
    assert.equal(error.serverCode, 'OPERATION_ALREADY_FINISHED')
    return true
  })
  client.close()
})

test('a wrong PIN says how many attempts are left', async () => {
  const client = await server.activated(mtoken, runtime, 'ben', store, auth)
  await assert.rejects(client.validatePin(Buffer.from('9999')), (error) => {
    assert.ok(error instanceof mtoken.AuthenticationError)
    assert.equal(error.code, 'AUTHENTICATION')
    assert.equal(error.remainingAttempts, 4)
    return true
  })
  client.close()
})

test('a signal cancels, before and while', async () => {
  const client = await server.activated(mtoken, runtime, 'carl', store, auth)
  const reason = new Error('the user has left')
  await assert.rejects(client.operations.list({ signal: AbortSignal.abort(reason) }), (error) => {
    assert.ok(error instanceof mtoken.CancelledError)
    assert.equal(error.cause, reason)
    return true
  })
  await server.admin('POST', '/faults', {
    match: '/api',
    kind: 'latency',
    parameters: { ms: 5000 },
    count: 1
  })
  const controller = new AbortController()
  const waiting = client.operations.list({ signal: controller.signal })
  setImmediate(() => controller.abort())
  await assert.rejects(waiting, mtoken.CancelledError)
  client.close()
})

test('what a program aborts with is the cause, wherever the call is', async () => {
  const client = await server.activated(mtoken, runtime, 'cyril', store, auth)
  await payment('cyril')
  const [operation] = (await client.operations.list()).operations
  await server.admin('POST', '/faults', { match: '/api', kind: 'latency', parameters: { ms: 1000 }, count: 100 })
  const calls = {
    list: (signal) => client.operations.list({ signal }),
    authorize: (signal) => client.operations.authorize(operation, auth, {}, { signal }),
    limited: (signal) => client.operations.list({ signal, timeoutMs: 9000 })
  }
  for (const [name, call] of Object.entries(calls)) {
    const late = await call(AbortSignal.timeout(20)).catch((error) => error)
    assert.deepEqual([late.code, late.cause?.name], ['CANCELLED', 'TimeoutError'], name)
    const controller = new AbortController()
    const waiting = call(controller.signal)
    setImmediate(() => controller.abort())
    const left = await waiting.catch((error) => error)
    assert.deepEqual([left.code, left.cause?.name], ['CANCELLED', 'AbortError'], name)
    assert.equal(left.cause, controller.signal.reason)
  }
  await server.admin('DELETE', '/faults')
  client.close()
})

test('the stack of an error names the line that has called', async () => {
  const client = await server.activated(mtoken, runtime, 'cilka', store, auth)
  const calls = [
    async function onTheLoop() {
      await client.operations.detail('nothing')
    },
    async function onAnotherThread() {
      await client.signOffline({ uriId: '/x', nonce: Buffer.alloc(3) }, auth)
    },
    async function withOptions() {
      await client.operations.detail('nothing', { timeoutMs: 9000 })
    },
    async function afterTheDisk() {
      await client.changePin(Buffer.from('9999'), Buffer.from('1357'))
    }
  ]
  for (const call of calls) {
    const error = await call().catch((error) => error)
    assert.ok(error instanceof mtoken.MTokenError)
    assert.match(
      error.stack,
      new RegExp(`^${error.name}: ${error.message.slice(0, 20)}[\\s\\S]*\\n    at (async )?${call.name} .*life\\.test\\.js`)
    )
  }
  client.close()
})

test('errors have all that is known, as JSON too, and what lies behind is an error', async () => {
  const options = { ...server.options('cause', store), baseUrl: 'http://127.0.0.1:1', allowHttp: true }
  const client = await mtoken.Client.new(runtime, options)
  const error = await client.synchronizeTime().catch((error) => error)
  assert.ok(error instanceof mtoken.NetworkError && error.cause instanceof Error && error.cause.message.length > 0)
  const plain = JSON.parse(JSON.stringify(error))
  assert.deepEqual([plain.name, plain.code, plain.message], ['NetworkError', 'NETWORK', error.message])
  assert.deepEqual(plain.cause, { name: 'Error', message: error.cause.message })
  assert.equal(error.customInfo, null)
  client.close()
})

test('a call takes its signal, time limit and headers in one object', async () => {
  const client = await server.activated(mtoken, runtime, 'clio', store, auth)
  const controller = new AbortController()
  const list = (more) => client.operations.list({ signal: controller.signal, ...more })
  assert.deepEqual((await list({ timeoutMs: 9000, headers: [{ name: 'X-Asked', value: 'once' }] })).operations, [])
  await server.admin('POST', '/faults', { match: '/api', kind: 'latency', parameters: { ms: 5000 }, count: 2 })
  await assert.rejects(list({ timeoutMs: 200 }), mtoken.TimeoutError)
  const waiting = list({ timeoutMs: 9000 })
  setImmediate(() => controller.abort())
  await assert.rejects(waiting, mtoken.CancelledError)
  await assert.rejects(client.operations.list({ timeout: 5 }), /has no member timeout/)
  await assert.rejects(client.withOptions({ timeoutMs: 5 }).operations.list({ signal: 1 }), TypeError)
  const encrypted = await client.encrypt(Buffer.from('{}'), { scope: mtoken.Scope.APPLICATION }, { timeoutMs: 9000 })
  assert.throws(
    () => encrypted.decrypt(Buffer.from('{}')),
    (error) => error.code !== 'CANCELLED'
  )
  client.close()
})

test('a call that is cancelled or wrong before it begins does not begin', async () => {
  const client = await server.activated(mtoken, runtime, 'cleo', store, auth)
  await payment('cleo')
  const [operation] = (await client.operations.list()).operations
  let begun = 0
  const { mtoken_operations_authorize: authorize } = raw
  const counting = (...given) => {
    begun++
    return authorize(...given)
  }
  await instead({ mtoken_operations_authorize: counting }, async () => {
    const reason = new Error('the user has left')
    await assert.rejects(client.operations.authorize(operation, auth, {}, { signal: AbortSignal.abort(reason) }), (error) => {
      assert.ok(error instanceof mtoken.CancelledError)
      assert.equal(error.code, 'CANCELLED')
      assert.equal(error.outcome, mtoken.Outcome.NOT_SENT)
      assert.equal(error.cause, reason)
      return true
    })
    for (const call of [{ signal: 'x' }, { signal: {} }, { sginal: null }, 'x', 7])
      await assert.rejects(client.operations.authorize(operation, auth, {}, call), TypeError)
    assert.equal(begun, 0)
    await client.operations.authorize(operation, auth, {}, { signal: new AbortController().signal })
    assert.equal(begun, 1)
  })
  client.close()
})

test('a signal has one listener of ours, and none when nothing is under way', async () => {
  const { getEventListeners } = require('node:events')
  const own = mtoken.Runtime.new({ events: mtoken.EventMask.OPERATIONS })
  const client = await server.activated(mtoken, own, 'cora', store, auth)
  const controller = new AbortController()
  const count = () => getEventListeners(controller.signal, 'abort').length
  const single = client.withOptions({ timeoutMs: 10_000 })
  const calls = Array.from({ length: 20 }, () => single.operations.list({ signal: controller.signal }))
  assert.equal(count(), 1)
  await Promise.all(calls)
  assert.equal(count(), 0)
  const events = own.events({ signal: controller.signal })
  let read = 0
  for (; read < 20; read++) {
    const next = events.next()
    client.operations.list().catch(() => {})
    assert.ok(count() <= 1)
    assert.equal((await next).done, false)
  }
  await client.operations.list()
  while (count() === 0) {
    const next = events.next()
    if (count() === 0) await next
    else {
      controller.abort()
      assert.equal((await next).done, true)
      break
    }
  }
  assert.equal(count(), 0)
  single.close()
  client.close()
  own.close()
})

test('wrong types are TypeErrors, wrong numbers RangeErrors', async () => {
  const client = await mtoken.Client.new(runtime, server.options('types', store))
  assert.throws(() => mtoken.qr.operationParse(7), TypeError)
  assert.throws(() => mtoken.qr.operationParse('x', { keepUnverifed: true }), /has no member keepUnverifed/)
  assert.throws(() => mtoken.qr.operationParse('x', { keepUnverified: 1 }), TypeError)
  assert.throws(() => mtoken.randomBytes(-1), RangeError)
  assert.throws(() => mtoken.randomBytes(1.5), RangeError)
  await assert.rejects(client.operations.detail(7), TypeError)
  await assert.rejects(client.operations.authorize({ id: 'x' }, auth), TypeError)
  await assert.rejects(client.validatePin('1234'), TypeError)
  assert.throws(() => new mtoken.Client(), TypeError)
  assert.throws(() => mtoken.Watcher.new(runtime), TypeError)
  await assert.rejects(mtoken.Client.new(client, {}), TypeError)
  await assert.rejects(mtoken.Client.new(runtime, null), TypeError)
  await assert.rejects(client.operations.list.call({}), TypeError)
  assert.throws(() => runtime.events({ signal: 'x' }), TypeError)
  client.close()
})

// What each type of index.d.ts does not take, though JavaScript would pass it on.
const NUMBERS = ['7', {}, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.5, 2 ** 64, -(2 ** 64)]
const OBJECTS = [7, 'x', true, { nonsense: 1 }]
const ODD = {
  number: NUMBERS,
  'number | bigint': [...NUMBERS, 1n << 64n, -1n << 64n],
  boolean: ['yes', 0, 1, {}],
  string: [7, true, {}, 'a\0b', '\ud800', Symbol('x')],
  Uint8Array: [7, 'x', {}, [1]],
  'string | Uint8Array': [7, true, {}, '\ud800']
}

test('odd arguments are refused before anything starts, in every method', async () => {
  const types = readFileSync(join(dirname(core), 'index.d.ts'), 'utf8')
  const parts = new Map()
  for (const [, name, body] of types.matchAll(/^export (?:declare class|interface) (\w+)[^{\n]*\{\n(.*?)^\}/gms))
    parts.set(name, (parts.get(name) ?? '') + body)
  const enumerations = new Set([...types.matchAll(/^export type (\w+) = number$/gm)].map((found) => found[1]))
  const listed = (text) =>
    [...text.matchAll(/(\w+)\??: ([^,]+)/g)].map(([, name, type]) => [name, type.replace(/ \| null$/, '').trim()])
  const oddOf = (type) => ODD[enumerations.has(type) ? 'number' : type] ?? (parts.has(type) ? OBJECTS : [])

  const client = await server.activated(mtoken, runtime, 'odd', store, auth)
  await payment('odd')
  const operation = (await client.operations.list()).operations[0]
  const right = {
    string: 'text',
    Uint8Array: Buffer.from('12345678'),
    number: 1,
    boolean: true,
    Operation: operation,
    Auth: auth
  }
  const owners = { Client: client, Runtime: runtime, Store: store, Watcher: mtoken.Watcher.new(client) }
  for (const [, name, type] of parts.get('Client').matchAll(/^ {2}readonly (\w+): (Client\w+)$/gm)) owners[type] = client[name]
  const seen = async () => (await server.admin('GET', '/requests?limit=1')).requests.at(-1).seq
  const before = await seen()
  const problems = []
  let tried = 0
  const attempt = async (what, call) => {
    tried++
    try {
      const answer = await call()
      if (answer !== false && answer !== 0) problems.push(`${what}: nothing was thrown`) // there is no such thing
    } catch (error) {
      const isRefusal = error instanceof mtoken.MTokenError && error.outcome === mtoken.Outcome.NOT_SENT
      if (!(error instanceof TypeError || error instanceof RangeError || isRefusal)) problems.push(`${what}: ${error}`)
    }
  }
  for (const [type, owner] of Object.entries(owners)) {
    for (const [, name, given] of parts.get(type).matchAll(/^ {2}(\w+)\(([^)]*)\): /gm)) {
      const parameters = listed(given)
      for (const [index, [parameter, kind]] of parameters.entries()) {
        const call = (value) =>
          owner[name](
            ...parameters.map(([, type], at) => (at === index ? value : (right[type] ?? (at < index ? {} : undefined))))
          )
        for (const value of oddOf(kind)) await attempt(`${type}.${name}(${parameter}: ${String(value)})`, () => call(value))
        if (kind === 'Auth' || !kind.endsWith('Options')) continue
        for (const [, member, memberType] of parts.get(kind).matchAll(/^ {2}(?:readonly )?(\w+)\??: (.+)$/gm))
          for (const value of oddOf(memberType.replace(/ \| null$/, '')))
            await attempt(`${type}.${name}(${parameter}.${member}: ${String(value)})`, () => call({ [member]: value }))
      }
    }
  }
  assert.deepEqual(problems, [])
  assert.ok(tried > 1000, String(tried))
  assert.equal(await seen(), before)
  await client.operations.authorize(operation, auth)
  client.close()
})

test('a closed object fails with a HandleError, and closes twice', async () => {
  const client = await mtoken.Client.new(runtime, server.options('closed', store))
  client.close()
  client.close()
  assert.ok(client instanceof mtoken.Handle && client.isClosed)
  assert.throws(() => client.getInfo(), mtoken.HandleError)
  await assert.rejects(client.operations.list(), mtoken.HandleError)
  const own = mtoken.Runtime.new()
  const orphan = await mtoken.Client.new(own, server.options('orphan', store))
  own.close()
  await assert.rejects(orphan.synchronizeTime(), mtoken.MTokenError)
  orphan.close()
})

test('calls under way end as cancelled, however their runtime and client are closed', async () => {
  const silent = require('node:http').createServer(() => {})
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const options = { ...server.options('dora', store), baseUrl: `http://127.0.0.1:${silent.address().port}`, allowHttp: true }
  for (let round = 0; round < 100; round++) {
    const own = mtoken.Runtime.new()
    const client = await mtoken.Client.new(own, options)
    const calls = Array.from({ length: 16 }, () => client.synchronizeTime())
    if (round % 3 > 0) await new Promise(setImmediate)
    if (round % 2 > 0) client.close()
    if (round % 4 < 3) own.close()
    const ended = await Promise.allSettled(calls)
    assert.deepEqual([...new Set(ended.map((item) => item.reason?.code))], ['CANCELLED'], `round ${round}`)
    client.close()
    own.close()
  }
  silent.close()
})

test('a handling that has failed still says how it ended', async () => {
  const own = mtoken.Runtime.new({ events: mtoken.EventMask.CHALLENGES })
  const client = await server.activated(mtoken, own, 'dina', store, auth)
  await assert.rejects(client.mobileAuth.handle('00000000-0000-0000-0000-000000000000'), (error) => {
    assert.ok(error instanceof mtoken.MTokenError)
    assert.equal(error.mobileAuth.request.transactionId, '00000000-0000-0000-0000-000000000000')
    assert.notEqual(error.mobileAuth.error, 0)
    return true
  })
  await assert.rejects(client.operations.detail('x'), (error) => !('mobileAuth' in error))
  client.close()
  own.close()
})

test('what may wait for the disk waits on another thread, also before it asks the server', async () => {
  const client = await server.activated(mtoken, runtime, 'dirk', store, auth)
  const here = () => assert.fail('it waits here')
  await instead({ mtoken_client_remove_biometry: here }, () =>
    client.removeBiometry().catch((error) => assert.ok(error instanceof mtoken.MTokenError, error))
  )
  client.close()
})

test('events come in order, and end with their signal', async () => {
  const own = mtoken.Runtime.new({ events: mtoken.EventMask.OPERATIONS })
  const client = await server.activated(mtoken, own, 'ella', store, auth)
  await payment('ella')
  await client.operations.list()
  const kinds = []
  for await (const event of own.events({
    signal: AbortSignal.timeout(10_000)
  })) {
    assert.equal(event.client, client)
    kinds.push(event.kind)
    if (event.kind === mtoken.EventKind.OPERATIONS_LOADING && !event.isLoading) break
    if (event.change) assert.equal(event.change.added[0].title, 'Payment confirmation')
  }
  assert.deepEqual(kinds, [
    mtoken.EventKind.OPERATIONS_LOADING,
    mtoken.EventKind.OPERATIONS_CHANGED,
    mtoken.EventKind.OPERATIONS_LOADING
  ])
  const { activationId } = client.getInfo()
  const message = own.routePush(JSON.stringify({ messageType: 'mtoken.statusChange', activationId }))
  assert.equal(message.client, client)
  assert.equal(own.routePush(JSON.stringify({ messageType: 'mtoken.statusChange', activationId: 'x' })).client, null)
  client.close()
  own.close()
})

test('twenty times two hundred calls of one client at a time', async () => {
  const client = await server.activated(mtoken, runtime, 'finn', store, auth)
  await client.operations.list()
  let answered = 0
  const one = async () => {
    for (let index = 0; index < 200; index++) {
      const list = await client.operations.list()
      answered += list.operations.length === 0
    }
  }
  await Promise.all(Array.from({ length: 20 }, one))
  assert.equal(answered, 4000)
  client.close()
})

test('texts beyond ASCII and the size of one buffer cross whole', () => {
  const text = 'Příliš žluťoučký kůň 🐎 '.repeat(40)
  const data = mtoken.MobileTokenData.new(null)
  data.putText('note', text)
  assert.equal(JSON.parse(data.build()).note, text)
  data.close()
  assert.equal(mtoken.json.find(JSON.stringify({ a: text }), '/a').text, text)
})

test('half of a surrogate pair is refused, wherever it stands', async () => {
  const data = mtoken.MobileTokenData.new(null)
  const long = 'ž'.repeat(600)
  for (const half of ['\ud83d', '\udc0e']) {
    for (const text of [half, `x${half}`, `${half}x`, `${half}${half}`, `${long}${half}`, `${half}${long}`, `\udc0e\ud83d`]) {
      assert.throws(() => data.putText('note', text), TypeError)
      assert.throws(() => mtoken.qr.operationParse(text), TypeError)
    }
  }
  for (const text of ['\ud83d\udc0e', '\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff', `${long}🐎`, 'x'.repeat(5000)]) {
    data.putText('note', text)
    assert.equal(JSON.parse(data.build()).note, text)
  }
  data.close()
})

test('whole numbers that a sender chose keep all digits', () => {
  const found = (text) => mtoken.json.find(`{"a":${text}}`, '/a').integer
  assert.equal(found('9007199254740991'), 9007199254740991)
  assert.equal(found('-9007199254740991'), -9007199254740991)
  assert.equal(found('9007199254740993'), 9007199254740993n)
  assert.equal(found('-9223372036854775808'), -9223372036854775808n)
  assert.equal(found('9223372036854775807'), 9223372036854775807n)
  assert.equal(found('-3'), -3)
})

test('results of any size are given', async () => {
  const client = await server.activated(mtoken, runtime, 'gina', store, auth)
  const count = 40_000
  const items = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    operationData: 'žluťoučký',
    expires: 4e12 + index
  }))
  const watcher = mtoken.Watcher.new(client)
  watcher.add(items)
  for (let round = 0; round < 2; round++) {
    const found = watcher.list().items.map((item) => ({ ...item }))
    assert.deepEqual(
      found.sort((left, right) => left.expires - right.expires),
      items
    )
    assert.equal(mtoken.json.find('{"a":3}', '/a').integer, 3)
  }
  watcher.close()
  const encrypted = await client.encrypt(Buffer.alloc(500_000, 'a'), { scope: mtoken.Scope.APPLICATION })
  assert.ok(encrypted.body.length > 500_000)
  encrypted.close()
  client.close()
})

test('a result that cannot be made leaves no other call hanging', async () => {
  const client = await server.activated(mtoken, runtime, 'gwen', store, auth)
  const single = client.withOptions({ timeoutMs: 10_000 })
  const { settle, mtoken_task_free: free } = raw
  const broken = new Set()
  const failing = (task) => {
    if (broken.size > 0) return settle(task)
    broken.add(task)
    throw new RangeError('out of memory')
  }
  const freeing = (task) => {
    broken.delete(task)
    if (broken.size === 0) broken.add(0)
    free(task)
  }
  await instead({ settle: failing, mtoken_task_free: freeing }, async () => {
    const ended = await Promise.allSettled([single.synchronizeTime(), single.synchronizeTime(), single.synchronizeTime()])
    assert.deepEqual(ended.map((item) => item.status).sort(), ['fulfilled', 'fulfilled', 'rejected'])
    assert.deepEqual([...broken], [0])
  })
  single.close()
  client.close()
})

function run(script, options = {}) {
  return spawnSync(process.execPath, [...(options.flags ?? []), '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, READY: JSON.stringify(server.ready) }
  })
}

const begin = `
const mtoken = require(${JSON.stringify(where)})
const ready = JSON.parse(process.env.READY)
const options = (id, store) => ({ id, store, configuration: ready.application.sdkConfig, baseUrl: ready.url, caFile: ready.caFile })
const runtime = mtoken.Runtime.new()
const store = mtoken.Store.memory()
`

test('a process ends by itself when nothing is under way, and with 500 calls under way when it is told to', () => {
  const idle = run(`${begin} mtoken.Client.new(runtime, options('idle', store)).then(() => console.log('made'))`)
  assert.equal(idle.status, 0, idle.stderr)
  assert.equal(idle.stdout.trim(), 'made')
  const busy = run(`${begin} ;(async () => {
    const client = await mtoken.Client.new(runtime, options('busy', store))
    for (let index = 0; index < 500; index++) client.withOptions({ timeoutMs: 5000 }).synchronizeTime().catch(() => {})
    setImmediate(() => process.exit(3)) })()`)
  assert.equal(busy.status, 3, busy.stderr)
})

test('a login that nobody waits for ends no process when its time is over', () => {
  const ended = run(`${begin}
    const login = runtime.oidc.listen({
      providerId: 'bank', clientId: 'client', scopes: 'openid', authorizeUri: 'https://idp.example.com/authorize',
      redirectUri: 'http://127.0.0.1/back', lifetimeMs: 20 })
    process.on('exit', () => console.log('end'))`)
  assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, 'end\n', ''])
})

test('a worker that is terminated with 500 calls under way leaves nothing locked', async () => {
  const folder = join(server.folder, 'worker-store')
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const mtoken = require(workerData.where)
     const runtime = mtoken.Runtime.new()
     ;(async () => {
       const store = await mtoken.Store.directory(workerData.folder)
       const client = await mtoken.Client.new(runtime, { ...workerData.options, store })
       const single = client.withOptions({ timeoutMs: 5000 })
       for (let index = 0; index < 500; index++) single.synchronizeTime().catch(() => {})
       parentPort.postMessage('busy')
     })()`,
    {
      eval: true,
      workerData: { where, folder, options: server.options('worker', null) }
    }
  )
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await worker.terminate()
  const again = await mtoken.Store.directory(folder)
  const client = await mtoken.Client.new(runtime, server.options('worker', again))
  client.close()
  again.close()
})

test('workers that are terminated leave no task', () => {
  const inWorker = `
    const { parentPort, workerData } = require('node:worker_threads')
    const mtoken = require(workerData.where)
    const store = mtoken.Store.memory()
    mtoken.Client.new(mtoken.Runtime.new(), { ...workerData.options, store }).then((client) => {
      const single = client.withOptions({ timeoutMs: 5000 })
      for (let index = 0; index < 500; index++) single.synchronizeTime().catch(() => {})
      parentPort.postMessage('busy')
    })`
  // A handle has its slot in its lowest bits, and a new slot is used only when none is free.
  const ended = run(`${begin} ;(async () => {
    const { Worker } = require('node:worker_threads')
    const { raw, number } = require(${JSON.stringify(core)})
    const client = await mtoken.Client.new(runtime, options('slots', store))
    const workerData = { where: ${JSON.stringify(where)}, options: options('worker') }
    for (let round = 0; round < 4; round++) {
      const worker = new Worker(${JSON.stringify(inWorker)}, { eval: true, workerData })
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
      await worker.terminate()
    }
    const task = raw.mtoken_client_synchronize_time(number(client))
    console.log(task % 2 ** 22)
    process.exit()
  })()`)
  assert.ok(Number(ended.stdout || 'none') < 1000, ended.stdout + ended.stderr)
})

test('a program that never lets the loop turn does not fill the memory', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const script = `const mtoken = require(${JSON.stringify(where)})
    const payload = ${JSON.stringify(offlineData)}
    const round = () => {
      for (let index = 0; index < 60000; index++) mtoken.qr.operationParse(payload, { keepUnverified: true })
      return process.memoryUsage().rss
    }
    round()
    const before = round()
    const after = round()
    console.log(JSON.stringify({ before, after }))
    process.exit(after - before > 50e6 ? 1 : 0)`
  const ended = run(script)
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
})

test('lists of forty operations that nobody closes stay under 200 MB', async () => {
  const folder = join(server.folder, 'mona')
  const kept = await mtoken.Store.directory(folder)
  await server.activated(mtoken, runtime, 'mona', kept, auth).then((client) => client.close())
  kept.close()
  for (let index = 0; index < 40; index++) await payment('mona')
  const script = `${begin} ;(async () => {
    const client = await mtoken.Client.new(runtime, options('mona', await mtoken.Store.directory(${JSON.stringify(folder)})))
    let lists = 0
    let most = 0
    const loop = async () => {
      while (lists < 6000) {
        const { operations } = await client.operations.list()
        lists += operations.length === 40
        most = Math.max(most, process.memoryUsage.rss())
      }
    }
    await Promise.all(Array.from({ length: 20 }, loop))
    console.log(JSON.stringify({ lists, most }))
    process.exit(most > 200e6 ? 1 : 0)
  })()`
  // V8 itself makes room of up to 96 MB for what lives shortly: not here, where it is about what it does not see.
  const ended = run(script, { flags: ['--max-semi-space-size=8'] })
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
})

test('memory does not grow: ten thousand calls with objects dropped in any order', () => {
  const script = `${begin} ;(async () => {
    const client = await mtoken.Client.new(runtime, options('memory', store))
    const payload = Buffer.from('nonsense')
    const round = async () => {
      for (let index = 0; index < 10000; index++) {
        const data = mtoken.MobileTokenData.new(null)
        data.putText('a', 'b'.repeat(100))
        if (index % 3 === 0) data.close()
        try { mtoken.qr.operationParse(payload) } catch {}
        client.getInfo()
        if (index % 500 === 0) { global.gc(); await new Promise(setImmediate) }
      }
      for (let index = 0; index < 5; index++) { global.gc(); await new Promise(setImmediate) }
      return process.memoryUsage().rss
    }
    await round()
    const before = await round()
    const after = await round()
    console.log(JSON.stringify({ before, after }))
    process.exit(after - before > 8e6 ? 1 : 0)
  })()`
  const ended = run(script, { flags: ['--expose-gc'] })
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
})

test('a client keeps its runtime, and one that nothing keeps is closed', () => {
  const script = `${begin} ;(async () => {
    const turn = () => { global.gc(); return new Promise(setImmediate) }
    const open = () => require('node:fs').readdirSync('/proc/self/fd').length
    let client = await mtoken.Client.new(mtoken.Runtime.new(), options('kept', mtoken.Store.memory()))
    for (let index = 0; index < 20; index++) await turn()
    await client.synchronizeTime()
    client = null
    const most = open()
    while (open() >= most) await turn()
    console.log('closed')
  })()`
  const ended = run(script, { flags: ['--expose-gc'] })
  assert.equal(ended.stdout.trim(), 'closed', ended.stderr)
})

test('ESM and CommonJS give one class', () => {
  const script = `const a = require(${JSON.stringify(where)}); import(${JSON.stringify(
    where.endsWith('.js') ? where.replace(/index\.js$/, 'index.mjs') : where
  )}).then((b) => process.exit(a.Client === b.Client && b.default.Client === a.Client ? 0 : 1))`
  const ended = run(script)
  assert.equal(ended.status, 0, ended.stderr)
})

test('a library that cannot be used is named, with what to install', () => {
  const ended = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(where)})`], {
    encoding: 'utf8',
    env: { ...process.env, MTOKEN_LIBRARY: '/nowhere/libmtoken.so.1' }
  })
  assert.notEqual(ended.status, 0)
  assert.match(ended.stderr, /\/nowhere\/libmtoken\.so\.1/)
  assert.match(ended.stderr, /MTOKEN_LIBRARY/)
})

test('an addon that does not load says why, and one that is missing is told from a bundle', () => {
  const copied = join(server.folder, 'copied')
  require('node:fs').cpSync(dirname(dirname(core)), copied, { recursive: true })
  const folder = join(copied, 'prebuilds', 'linux-x64')
  const load = () => run(`delete process.env.MTOKEN_NODE_ADDON; require(${JSON.stringify(join(copied, 'lib', 'index.js'))})`)
  assert.equal(load().status, 0)
  require('node:fs').writeFileSync(join(folder, 'mtoken.node'), 'no addon')
  assert.match(load().stderr, /the addon for linux-x64 cannot be loaded: .*mtoken\.node/)
  require('node:fs').rmSync(folder, { recursive: true })
  assert.match(load().stderr, /no addon for linux-x64: .*prebuilds.*is missing/)
  require('node:fs').rmSync(dirname(folder), { recursive: true })
  assert.match(load().stderr, /--external:libmtoken \(esbuild\)/)
})

const BUNDLERS = {
  esbuild: (outside) => [
    '--bundle',
    '--platform=node',
    '--outfile=out/main.js',
    'main.js',
    ...(outside ? ['--external:libmtoken'] : [])
  ],
  webpack: (outside) => ['--config', outside ? 'outside.config.js' : 'inside.config.js']
}

for (const [name, given] of Object.entries(BUNDLERS)) {
  // Where Debian's bundlers have their modules. Its webpack needs its Node.js.
  const path = { env: { ...process.env, NODE_PATH: '/usr/share/nodejs' } }
  const probe = name === 'webpack' ? ['node', '-e', "require('enhanced-resolve')"] : [name, '--version']
  const missing = spawnSync(probe[0], probe.slice(1), path).status !== 0 && `${name} is not installed`
  test(`a program that ${name} has bundled runs with the package outside, and says so with it inside`, { skip: missing }, () => {
    const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs')
    const cwd = join(server.folder, name)
    mkdirSync(join(cwd, 'node_modules'), { recursive: true })
    symlinkSync(dirname(dirname(core)), join(cwd, 'node_modules', 'libmtoken'))
    writeFileSync(join(cwd, 'main.js'), `require('libmtoken').keyPairNew(); console.log('made')`)
    for (const [file, externals] of Object.entries({ outside: { libmtoken: 'commonjs libmtoken' }, inside: {} }))
      writeFileSync(
        join(cwd, `${file}.config.js`),
        `module.exports = { target: 'node', mode: 'development', entry: './main.js', externals: ${JSON.stringify(externals)},
           output: { path: ${JSON.stringify(join(cwd, 'out'))}, filename: 'main.js' } }`
      )
    const { MTOKEN_NODE_ADDON: _, ...env } = process.env
    for (const outside of [true, false]) {
      const built = spawnSync(name, given(outside), { ...path, cwd, encoding: 'utf8' })
      assert.equal(built.status, 0, built.stdout + built.stderr)
      const ended = spawnSync(process.execPath, ['out/main.js'], { cwd, env, encoding: 'utf8' })
      if (outside) assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, 'made\n', ''])
      else assert.match(ended.stderr, /libmtoken: this package was bundled.*--external:libmtoken/)
    }
  })
}

const flags = process.allowedNodeEnvironmentFlags
const permission = ['--permission', '--experimental-permission'].find((flag) => flags.has(flag))
const noPermission = !flags.has('--allow-addons') && 'this Node.js has no permissions for addons'

test('it loads where only its own folder may be read', { skip: noPermission }, () => {
  const ended = run(`delete process.env.MTOKEN_NODE_ADDON; require(${JSON.stringify(where)}).keyPairNew(); console.log('made')`, {
    flags: [permission, '--allow-addons', `--allow-fs-read=${dirname(dirname(core))}/*`]
  })
  assert.deepEqual([ended.status, ended.stdout], [0, 'made\n'], ended.stderr)
})

test('other runtimes are refused with a reason', () => {
  for (const name of ['Bun', 'Deno']) {
    const other = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ${name.toLowerCase()}: '1.2.3' } })`
    const ended = run(`${other}; require(${JSON.stringify(where)})`)
    assert.equal(ended.status, 1)
    assert.match(ended.stderr, new RegExp(`${name} is not supported: the addon needs the event loop of Node\\.js`))
  }
})

test('results are what they look like: compared, copied, printed and sent by their content', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const operation = mtoken.qr.operationParse(offlineData, { keepUnverified: true })
  const other = mtoken.qr.operationParse(offlineData.replace('1250.5', '1250.6'), { keepUnverified: true })
  const plain = { ...operation }
  assert.deepEqual(operation, mtoken.qr.operationParse(offlineData, { keepUnverified: true }))
  assert.notDeepEqual(operation, other)
  assert.throws(() => require('node:assert').deepEqual(operation, other))
  assert.equal(plain.title, 'Payment confirmation')
  assert.ok(Object.keys(plain).length > 15)
  assert.deepEqual(structuredClone(operation).signedFields, operation.signedFields)
  assert.deepEqual(JSON.parse(JSON.stringify(operation)), JSON.parse(JSON.stringify(plain)))
  assert.match(inspect(operation), /^QrOperation \{[\s\S]*title: 'Payment confirmation'/)
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData)`,
    {
      eval: true,
      workerData: operation
    }
  )
  const sent = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  assert.deepEqual(sent.signedFields, operation.signedFields)
  await worker.terminate()
})

test('no text, copy or comparison of a result has its secrets', () => {
  const { classes, KEY } = require(core)
  const { structs } = description()
  const means = [
    (item) => inspect(item, { showHidden: true, depth: 9 }),
    (item) => format('%s %o %O %j', item, item, item, item),
    (item) => String(item) + JSON.stringify(item),
    (item) => inspect([{ ...item }, Object.entries(item), structuredClone(item), Object.assign({}, item)]),
    (item) => require('node:v8').serialize(item).toString('latin1')
  ]
  let seen = 0
  for (const struct of structs.filter(({ kind, members }) => kind === 'result' && members.some((item) => item.secret))) {
    const title = struct.name.replace(/^mtoken/, '').replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    const Kind = classes[title]
    const names = /constructor\(([^)]*)\)/.exec(String(Kind))[1].split(', ')
    const made = new Kind(...names.map((name) => (name === 'key' ? KEY : `value of ${name}.`)))
    for (const mean of means) {
      const text = mean(made)
      for (const { name, secret } of struct.members.filter((item) => names.includes(`_${item.name}`))) {
        if (secret) assert.ok(!text.includes(`value of _${name}.`), `${title}.${name}: ${text}`)
        seen += Boolean(secret) || text.includes(`value of _${name}.`)
      }
    }
    for (const { name, secret } of struct.members)
      if (secret) assert.equal(made[name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())], `value of _${name}.`)
  }
  assert.ok(seen > 100, String(seen))
})

test('a closed result is read, but not handed over, and its parts are closed with it', async () => {
  const client = await server.activated(mtoken, runtime, 'klara', store, auth)
  await payment('klara')
  const list = await client.operations.list()
  const [operation] = list.operations
  operation.close()
  const detail = await client.operations.detail(operation.id)
  assert.deepEqual(detail, operation)
  for (let round = 0; round < 2; round++) detail.close()
  await assert.rejects(client.operations.authorize(detail, auth), mtoken.HandleError)
  assert.equal(detail.title, operation.title)
  const signing = client.operations.authorize(operation, auth) // another thread may still read what is closed here
  list[Symbol.dispose ?? Symbol.for('nodejs.dispose')]()
  await signing
  await assert.rejects(client.operations.authorize(operation, auth), /operation was closed/)
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const read = Array.from({ length: 40 }, () => mtoken.qr.operationParse(offlineData))
  read[3].close()
  assert.throws(() => client.qr.authorizeSync(read[3], auth), mtoken.HandleError)
  assert.throws(
    () => client.qr.authorizeSync(read[4], auth),
    (error) => !(error instanceof mtoken.HandleError)
  )
  client.close()
})

test('a result has what the library has, wherever in the payload it stands', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const { begin, owned } = require(core)
  const kind = description().structs.findIndex(({ name }) => name === 'mtoken_qr_operation')
  /** Without a text that its texts are parts of, all are copied. */
  const whole = (payload) => {
    begin()
    return owned(kind, raw.mtoken_qr_operation_parse(payload))
  }
  function compare(payload, given) {
    const operation = mtoken.qr.operationParse(given)
    assert.equal(operation.payload, payload)
    assert.deepEqual([operation.id, operation.rawTitle, operation.rawMessage], payload.split('\n').slice(0, 3))
    assert.deepEqual(operation, whole(payload), payload)
  }
  const lines = offlineData.split('\n')
  const [id, title, message, data, flags, ...rest] = lines
  const account = 'CZ5508000000001234567899,KOMBCZPP'
  for (const changed of [
    lines,
    [id, 'Potvrzení platby 🐎', message, data, flags, ...rest],
    [id, title, 'Pay\\nat once, with \\\\', data, flags, ...rest],
    [id, '', '', 'A1', '', ...rest],
    [id, 'A', 'A', 'A1*A1.00EUR*A2EUR*A0.50czk*NA', 'A', ...rest],
    [id, id, `${id} ${id}`, `A10*I${account}*A1000.5EUR*D20261128*R1*Nv\\*x*Q${account}`, 'BCXYZ', ...rest],
    [title, message, title, data, flags, 'further: 1', title, ...rest],
    [id, title, message, `${data}*N${'long '.repeat(700)}`, flags, ...rest],
    [id, title, message, data, 'BF', '123456', ...rest],
    [id, title, message, `${data}*NPříspěvek`, flags, ...rest]
  ]) {
    const payload = changed.join('\n')
    compare(payload, payload)
    compare(payload, Buffer.from(payload))
  }
  // Whatever else can be read.
  let state = 20261128
  const below = (count) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
  const parts = ['A', '*', '\\n', '\\*', 'ž', '🐎', '1', 'EUR', ',', 'B', 'X', 'N', 'A1*', account, '-', '.', '0']
  let compared = 0
  for (let round = 0; round < 3000; round++) {
    const changed = [...lines]
    for (let count = 1 + below(4); count > 0; count--) {
      const at = below(lines.length - 1)
      const part = parts[below(parts.length)]
      const letters = [...changed[at]]
      const cut = below(letters.length + 1)
      const begin = letters.slice(0, cut).join('')
      changed[at] = [begin + part + letters.slice(cut).join(''), begin, lines[below(5)]][below(3)]
    }
    const payload = changed.join('\n')
    try {
      compare(payload, payload)
      compared++
    } catch (error) {
      if (!(error instanceof mtoken.MTokenError)) throw error
    }
  }
  assert.ok(compared > 500, compared)
})

test('nothing but the library makes its objects, and none stands for another', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const operation = mtoken.qr.operationParse(offlineData)
  const client = await mtoken.Client.new(runtime, server.options('forged', store))
  const data = mtoken.MobileTokenData.new(null)
  const classes = Object.values(mtoken).filter((item) => typeof item === 'function' && /^class/.test(String(item)))
  const ours = classes.filter((item) => !(item.prototype instanceof Error) && item !== mtoken.MTokenError)
  assert.ok(ours.length > 15, ours.length)
  const numbers = [0, 1, 4096, 0x7fff_ffff_f000, -1, Number.NaN, 2 ** 53, 1n, null, undefined, {}, 'x', Symbol('libmtoken')]
  for (const Kind of ours) {
    for (const given of numbers) {
      assert.throws(() => new Kind(given, given, given), TypeError, Kind.name)
      assert.throws(() => Reflect.construct(Object.getPrototypeOf(Kind), [given, given, given], Kind), TypeError)
      assert.throws(() => new (class extends Kind {})(given, given), TypeError)
    }
    // Each method and member, called for what is none of it, and for objects of another kind in its clothes.
    for (const name of Reflect.ownKeys(Kind.prototype)) {
      const found = Object.getOwnPropertyDescriptor(Kind.prototype, name)
      const call = found.get ?? found.value
      if (typeof call !== 'function' || name === 'constructor') continue
      const wrong = [Object.create(Kind.prototype), new Proxy(operation, {}), 4096, {}]
      if (Kind !== mtoken.QrOperation) wrong.push(operation)
      for (const given of wrong) {
        try {
          await call.call(given)
        } catch (error) {
          assert.ok(error instanceof TypeError || error instanceof mtoken.MTokenError, `${Kind.name}.${String(name)}: ${error}`)
        }
      }
    }
  }
  for (const given of [{}, 4096, data, client, 'x', new Proxy(operation, {}), Object.create(mtoken.QrOperation.prototype)]) {
    assert.throws(() => client.qr.authorizeSync(given, auth), TypeError)
    await assert.rejects(client.qr.authorize(given, auth), TypeError)
  }
  assert.throws(() => client.qr.authorizeSync(operation, auth), mtoken.MTokenError)
  const disguised = Object.setPrototypeOf(mtoken.qr.operationParse(offlineData), mtoken.Operation.prototype)
  await assert.rejects(client.operations.authorize(disguised, auth), TypeError)
  for (const given of [{}, 4096, operation, data, Object.create(mtoken.Runtime.prototype), new Proxy(runtime, {})])
    await assert.rejects(mtoken.Client.new(given, server.options('other', store)), TypeError)
  assert.throws(() => mtoken.Client.prototype.getInfo.call(data), mtoken.HandleError)
  // What frees an object was settled when it was made.
  for (const symbol of Object.getOwnPropertySymbols(Object.getPrototypeOf(mtoken.Client.prototype)))
    Object.defineProperty(data, symbol, { value: 'mtoken_qr_operation_free', configurable: true })
  data.close()
  assert.equal(operation.title, 'Payment confirmation')
  client.close()
})

test('the addon takes no external but its own for a struct', async () => {
  const other = raw.batch()
  assert.strictEqual(typeof other, 'object')
  for (const read of raw.flats.filter(Boolean)) assert.throws(() => read(other, 0, 0), TypeError)
  raw.endBatch()
})

test('bytes are buffers of their own, also when a host takes the memory of others away', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  const nonce = () => mtoken.qr.operationParse(offlineData).nonceBytes
  const first = nonce()
  const kept = Buffer.from(first)
  assert.ok(Buffer.isBuffer(first) && Object.getPrototypeOf(first) === Buffer.prototype)
  const take = [() => structuredClone(first, { transfer: [first.buffer] }), () => first.buffer.transfer?.()]
  for (const attempt of take) {
    try {
      attempt() // newer versions of Node.js refuse, older ones copy
    } catch {}
    assert.deepEqual(nonce(), kept)
  }
  first.fill(0)
  for (let index = 0; index < 1000; index++) assert.deepEqual(nonce(), kept)
  // Older versions do this, which JavaScript has no words for.
  require('node:v8').setFlagsFromString('--allow-natives-syntax')
  const detach = new Function('buffer', '%ArrayBufferDetach(buffer)')
  const last = nonce().buffer
  try {
    detach(last)
    assert.equal(last.byteLength, 0)
  } catch (error) {
    assert.match(String(error), /ArrayBufferDetachKey/)
  }
  for (let index = 0; index < 1000; index++) assert.deepEqual(nonce(), kept)
})

test('the payload of an operation is what was given, as a text or as bytes', async () => {
  const { operationId } = await payment('offline')
  const { offlineData } = await server.admin('POST', `/operations/${operationId}/offline`, {})
  for (const given of [offlineData, Buffer.from(offlineData)]) {
    const operation = mtoken.qr.operationParse(given)
    assert.equal(operation.payload, offlineData)
    assert.equal(operation.signedLength + operation.signature.length, Buffer.byteLength(offlineData))
  }
})

test('a thousand lists that share no request start no thread', async () => {
  const { readdirSync } = require('node:fs')
  const threads = () => readdirSync('/proc/self/task').length
  const client = await server.activated(mtoken, runtime, 'hana', store, auth)
  const single = client.withOptions({ timeoutMs: 60_000 })
  // What libuv starts for files, and what the runtime has, is there after a call of each kind.
  await single.operations.list()
  await new Promise((resolve) => require('node:fs').stat('/', resolve))
  const before = threads()
  const calls = Array.from({ length: 1000 }, () => single.operations.list())
  let most = threads()
  let answered = 0
  const counted = calls.map((call) =>
    call.then((list) => {
      most = Math.max(most, threads())
      answered += list.operations.length === 0
    })
  )
  await Promise.all(counted)
  assert.equal(answered, 1000)
  assert.equal(most, before)
  single.close()
  client.close()
})

test('objects can be used with `using`', { skip: Symbol.dispose === undefined }, () => {
  const data = mtoken.MobileTokenData.new(null)
  data[Symbol.dispose]()
  assert.ok(data.isClosed)
})

test('nothing of the library is bound to the OpenSSL of the executable', () => {
  const ended = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(where)}).keyPairNew()`], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, LD_DEBUG: 'bindings', LD_BIND_NOW: '1' }
  })
  assert.equal(ended.status, 0)
  const bound = [...ended.stderr.matchAll(/binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `(\w+)'/g)]
  assert.ok(
    bound.some(([, file]) => /\/libmtoken\.so/.test(file)),
    'the loader told nothing of the library'
  )
  const executable = basename(process.execPath)
  const wrong = bound
    .filter(([, file, to]) => basename(file) !== executable && basename(to) === executable)
    .filter(([, , , name]) => /^(SSL|EVP|CRYPTO|OPENSSL|X509|BIO|EC_|ERR_|RAND|SHA|ASN1)/.test(name))
  assert.deepEqual(wrong.slice(0, 5), [])
})

test('they are closed', () => {
  store.close()
  runtime.close()
  server.stop()
})
