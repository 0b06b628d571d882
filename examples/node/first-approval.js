'use strict'
// node first-approval.js server.json: activates this device on the development server, and approves a payment.

const { readFileSync } = require('node:fs')
const { Client, Runtime, Store } = require('libmtoken')

async function main() {
  const server = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const bank = async (path, body) =>
    (
      await fetch(`${server.httpUrl}/admin${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {})
      })
    ).json()
  const auth = { pin: Buffer.from('1234') }
  const runtime = Runtime.new()
  const client = await Client.new(runtime, {
    id: 'alice',
    configuration: server.application.sdkConfig,
    baseUrl: server.url,
    caFile: server.caFile,
    store: Store.memory()
  })
  const activation = await bank('/activations', { userId: 'alice' })
  await client.activate({ code: activation.activationQr })
  await client.persist(auth)
  await bank(`/activations/${activation.activationId}/commit`)
  await client.waitActive()
  await bank('/operations', {
    userId: 'alice',
    template: 'authorize_payment',
    parameters: {
      amount: '12.50',
      currency: 'EUR',
      iban: 'CZ5508000000001234567899',
      note: 'Lunch'
    }
  })
  for (const operation of (await client.operations.list()).operations) {
    console.log(`you sign:\n${operation.summary}`)
    await client.operations.authorize(operation, auth)
    console.log(`approved: ${operation.message}`)
  }
  client.close()
  runtime.close()
}

main()
