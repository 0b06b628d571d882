// SPDX-License-Identifier: Apache-2.0
'use strict'
// Writes a program in TypeScript that calls everything, by the description of the C interface: rightly, and wrongly in each parameter
// and each required member, where the compiler must find the mistake. The types themselves come from another generator.

const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const build = join(__dirname, '..', '..', '..', '..', 'build')
const description = JSON.parse(readFileSync(join(build, 'generated', 'mtoken.abi.json'), 'utf8'))
const calls = JSON.parse(readFileSync(join(build, 'node', 'calls.json'), 'utf8'))
const structs = new Map(description.structs.map((item) => [item.name, item]))
const NOT_GIVEN = ['length', 'count', 'error', 'struct_size', 'reserved', 'host_pointer', 'callback']
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
const title = (name) => camel(name.replace(/^mtoken/, ''))

/** A right value. */
function right(item) {
  const { role, type } = item
  if (role === 'text' || (type.name === 'mtoken_text' && role !== 'array')) return "'text'"
  if (role === 'bytes' || type.name === 'mtoken_bytes') return 'new Uint8Array(1)'
  if (role === 'value') return item.bool ? 'true' : '1'
  if (role === 'options') return object(type.name)
  if (role === 'array') return type.name === 'mtoken_text' ? "['text']" : `[${object(type.name)}]`
  return `given<mtoken.${title(type.name)}>()`
}

const members = (name) => structs.get(name).members.filter((item) => !NOT_GIVEN.includes(item.role))
const required = (name) => members(name).filter((item) => item.required || (structs.get(name).kind === 'fixed' && !item.nullable))

function object(name, without, more = '') {
  const found = required(name).filter((item) => item !== without)
  return `{ ${found.map((item) => `${camel(item.name)}: ${right(item)}, `).join('')}${more}}`
}

const lines = []
const wrong = (text) => lines.push('  // @ts-expect-error', `  ${text}`)

for (const described of description.functions) {
  const call = calls[described.name]
  if (call === undefined) continue
  const parameters = described.parameters.filter((item) => !NOT_GIVEN.includes(item.role) && !item.role.startsWith('out_'))
  let receiver = call.maker ? `mtoken.${call.maker}` : 'mtoken'
  if (call.owner && !call.maker) receiver = `given<mtoken.${title(parameters.shift().type.name)}>()`
  if (call.group) receiver += `.${call.group}`
  const values = parameters.map(right)
  const isAsynchronous = (call.task && call.outs.length === 0) || described.blocks
  const names = described.blocks && !call.task ? [call.method, `${call.method}Sync`] : [call.method]
  for (const name of names) {
    const made = (given) => `${receiver}.${name}(${given.join(', ')})`
    const instead = (index, value) => made(values.map((item, at) => (at === index ? value : item)))
    lines.push(isAsynchronous && name === call.method ? `  promised(${made(values)})` : `  ${made(values)}`)
    if (call.task) lines.push(`  ${made([...values, '{ signal: new AbortController().signal }'])}`)
    if (call.task) wrong(made([...values, "{ signal: 'x' }"]))
    else wrong(made([...values, 'Symbol()']))
    for (const [index, item] of parameters.entries()) {
      wrong(instead(index, 'Symbol()'))
      if (!parameters.slice(index).every((each) => each.nullable)) wrong(made(values.slice(0, index)))
      if (item.role !== 'options') continue
      wrong(instead(index, object(item.type.name, undefined, 'nonsense: 1')))
      for (const member of required(item.type.name)) wrong(instead(index, object(item.type.name, member)))
    }
  }
}

const folder = join(build, 'node', 'types')
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'calls.ts'),
  `import * as mtoken from '../package/lib/index'
declare function given<T>(): T
declare function promised(call: Promise<unknown>): void
export function calls(): void {
${lines.join('\n')}
}
`
)
console.log(`types: ${lines.filter((line) => !line.endsWith('@ts-expect-error')).length} calls`)
