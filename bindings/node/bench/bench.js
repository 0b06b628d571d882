'use strict'
// What the binding costs: Tests/bench/bindings/README.md says what each figure is.

const mtoken = require(process.env.MTOKEN_NODE_PACKAGE ?? 'libmtoken')
const environment = process.env

const rest = () => new Promise(setImmediate)
const processor = () => {
  const used = process.cpuUsage()
  return (used.user + used.system) * 1000
}

function print(name, nanoseconds) {
  console.log(JSON.stringify({ name, ns: Math.round(nanoseconds * 10) / 10 }))
}

// Between batches the loop turns, as it does in every program: results that are no longer used are freed then.
async function measure(name, work) {
  const batch = (count) => {
    const begin = processor()
    for (let index = 0; index < count; index++) work()
    return processor() - begin
  }
  let count = 1
  while (batch(count) < 1e7) {
    count *= 2
    await rest()
  }
  let best = Infinity
  for (let round = 0; round < 30; round++) {
    best = Math.min(best, batch(count) / count)
    await rest()
  }
  print(name, best)
}

async function main() {
  const runtime = mtoken.Runtime.new()
  const store = mtoken.Store.memory()
  const client = await mtoken.Client.new(runtime, {
    id: 'bench',
    configuration: environment.MTOKEN_BENCH_CONFIGURATION,
    baseUrl: environment.MTOKEN_BENCH_URL,
    caFile: environment.MTOKEN_BENCH_CA,
    store
  })
  await client.activate({ code: environment.MTOKEN_BENCH_CODE })
  await client.persist({ pin: Buffer.from('1234') })
  await client.waitActive()
  const lists = Number(environment.MTOKEN_BENCH_LISTS ?? 1000)
  const single = client.withOptions({ timeoutMs: 30_000 })
  let best = Infinity
  for (let round = 0; round < 3; round++) {
    const begin = processor()
    const all = await Promise.all(Array.from({ length: lists }, () => single.operations.list()))
    if (all.some((list) => list.operations.length !== 0)) throw new Error('there are operations')
    best = Math.min(best, (processor() - begin) / lists)
  }
  print('lists', best)
  let sum = 0
  await measure('call', () => {
    sum += mtoken.abiVersion()
  })
  const payload = environment.MTOKEN_BENCH_PAYLOAD
  await measure('qr_text', () => {
    sum += mtoken.qr.operationParse(payload).title.length
  })
  await measure('qr_struct', () => {
    sum += mtoken.qr.operationParse(payload).title.length
  })
  const signed = Buffer.from(environment.MTOKEN_BENCH_SIGNED)
  const signature = Buffer.from(environment.MTOKEN_BENCH_SIGNATURE, 'base64')
  const verification = {
    serverKey: mtoken.ServerKey.MASTER,
    form: mtoken.SignatureForm.DER,
    signedBytes: signed,
    signature
  }
  await measure('verify', () => {
    if (!client.verify(verification)) throw new Error('the signature is wrong')
  })
  const request = {
    method: 'POST',
    uriId: '/test/signed',
    body: Buffer.alloc(300, 'a')
  }
  const possession = { factors: mtoken.Factors.POSSESSION }
  await measure('sign', () => {
    sum += client.signSync(request, possession).value.length
    client.signatureAcceptedSync()
  })
  single.close()
  client.close()
  store.close()
  runtime.close()
  if (sum === 0) throw new Error('nothing was measured')
}

main()
