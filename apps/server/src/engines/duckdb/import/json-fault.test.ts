import { expect, test } from 'vitest'
import { findJsonFault } from './json-fault.ts'
import { type JsonLayout, pieceMaxBytes } from './json-pieces.ts'

async function faultOf(layout: JsonLayout, text: string | Buffer, chunkBytes = 1024): Promise<string | undefined> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return (await findJsonFault(chunks(), layout))?.message
}

test.each<[JsonLayout, string]>([
  ['lines', '{"a":1}\n\n{"a":"x\\n{"}\r\nnull\n{}'],
  ['array', ' [ {"a":[1,{"b":"],\\"{"}]},\n{"a":2} ]\n'],
  ['values', '{\n"a": 1}{"a":2} null\n{"a":"}"}'],
])('finds no fault in %s of objects: %j', async (layout, text) => {
  for (const chunkBytes of [1, 2, 5, 1024]) expect(await faultOf(layout, text, chunkBytes), String(chunkBytes)).toBeUndefined()
})

test.each<[JsonLayout, string | Buffer, RegExp]>([
  ['lines', '{"a":1}\n\n{"a":}\n{"a":3}\n', /^Line 3 .*not valid JSON \(Unexpected token '}'\)\.\n{"a":}\nWrite each row/],
  ['lines', '{"a":1}\n{"a":2', /^Line 2 .*not valid JSON/],
  ['lines', '{"a":1}\n{\n"a":2}\n', /^Line 2 .*not valid JSON/],
  ['lines', '{"a":1}\n{"a":1}{"a":2}\n', /^Line 2 .*not valid JSON/],
  ['lines', '{"a":1},\n{"a":2}\n', /^Line 1 .*not valid JSON/],
  ['lines', '{"a":1}\n2\n', /^Line 2 .*it is not a JSON object\.\n2\n/],
  ['lines', '[{"a":1}]\n', /^Line 1 .*not a JSON object.*\n.*\n.*upload it as \.json/],
  ['lines', '{"a":1}\n{"a":{"b":1,"b":2}}\n', /^Line 2 .*a name occurs twice/],
  ['lines', Buffer.from('{"a":1}\n{"a":"caf\xe9"}\n', 'latin1'), /^Line 2 .*not encoded in UTF-8/],
  ['lines', '\n \n', /contains no JSON object/],
  ['array', '[{"a":1},\n\n{"b":2,\n"a":tru\n}]', /^Line 3 .*not valid JSON \(Unexpected end of a line\)\.\n{"b":2,\n"a":tru\n/],
  ['array', '[{"a":1},\n\n{"b":2,\n"a" 3}]', /^Line 4 .*not valid JSON \(Expected ':' after property name\)\.\n"a" 3}\n/],
  ['array', '[{"a":1},\n\n2]', /^Line 3 .*it is not a JSON object/],
  ['array', '[{"a":1},\n{"a":2}\n', /^Line 2 .*ends before this value is complete/],
  ['array', '[{"a":1},\n', /^Line 2 .*ends before this value is complete/],
  ['array', '[{"a":1},\n]', /^Line 2 .*not valid JSON/],
  ['array', '[{"a":1}]\nx', /^Line 2 .*not valid JSON/],
  ['array', '[{"a":"1},\n{"a":2}]', /^Line 1 .*ends before this value is complete/],
  ['array', '[]', /contains no JSON object/],
  ['values', '{"a":1}\n{"a":[2', /^Line 2 .*ends before this value is complete/],
  ['values', '{"a":1}\n}', /^Line 2 .*not valid JSON/],
])('%s %j: finds the line of the fault however the file is chunked', async (layout, text, message) => {
  for (const chunkBytes of [1, 2, 5, 1024]) expect(await faultOf(layout, text, chunkBytes), String(chunkBytes)).toMatch(message)
})

test.each<JsonLayout>(['lines', 'array', 'values'])('%s: a row that nobody can hold is not held', async (layout) => {
  let sent = 0
  async function* endless() {
    yield Buffer.from(layout === 'array' ? '[\n{"a":"' : '\n{"a":"')
    for (const piece = Buffer.alloc(1024 * 1024, 'x'); ; sent++) yield piece
  }
  expect((await findJsonFault(endless(), layout))?.message).toMatch(/^Line 2 .*larger than 32 MiB/)
  expect(sent * 1024 * 1024).toBeLessThan(2 * pieceMaxBytes)
})
