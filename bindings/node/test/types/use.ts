// SPDX-License-Identifier: Apache-2.0
import { Client, EventKind, MTokenError, Outcome, Runtime, Store, qr } from '../../../../build/node/package/lib/index'

export async function use(configuration: string): Promise<string> {
  const runtime: Runtime = Runtime.new({ events: 0 })
  const store: Store = Store.memory()
  const client: Client = await Client.new(runtime, {
    id: 'x',
    configuration,
    baseUrl: 'https://localhost',
    store
  })
  const list = await client.operations.list({
    signal: new AbortController().signal,
    timeoutMs: 5000,
    headers: [{ name: 'X-Asked', value: 'once' }]
  })
  for (const operation of list.operations) {
    const title: string = operation.title
    const reason: string | null = operation.statusReason
    await client.operations.authorize(operation, { pin: Buffer.from('1234') }, { strict: true })
    if (title === reason) return title
  }
  const header = client.signSync({ method: 'POST', uriId: '/x', body: Buffer.from('{}') }, { factors: 1 })
  const { privateKey } = { privateKey: header.value }
  try {
    qr.operationParse('nonsense')
  } catch (error) {
    if (error instanceof MTokenError && error.outcome === Outcome.NOT_SENT && error.code === 'PARSE') return error.reason
  }
  for await (const event of runtime.events()) if (event.kind === EventKind.TASK) break
  // @ts-expect-error the signal is that of one call
  client.withOptions({ signal: new AbortController().signal }).close()
  // @ts-expect-error a PIN is a text or bytes
  client.validatePin(1234)
  client[Symbol.dispose]()
  await Client.new(runtime, {
    id: 'x',
    configuration,
    baseUrl: 'y',
    // @ts-expect-error there is no such member
    nonsense: 1
  })
  return privateKey
}
