import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonSyntaxError, readJsonEntries } from './json-entries.ts'

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, { depth = 2, size = 7, entryMaxBytes = 1000 } = {}) {
  const found: [string, unknown][] = []
  for await (const entry of readJsonEntries(inPieces(text, size), { depthOf: () => depth, entryMaxBytes })) {
    found.push([entry.path.join('/'), JSON.parse(entry.text)])
  }
  return found
}

test('yields the values at a depth, whatever the pieces are', async () => {
  const document = { nodes: { 'a"b': { sql: 'select "{[,]}\\"' }, ü: [1, { x: ',' }] }, empty: {}, list: ['a', 2, null], plain: 3 }
  for (const size of [1, 2, 3, 1000]) {
    expect(await read(JSON.stringify(document, null, 1), { size })).toEqual([
      ['nodes/a"b', document.nodes['a"b']],
      ['nodes/ü', document.nodes.ü],
      ['list/', 'a'],
      ['list/', 2],
      ['list/', null],
    ])
  }
})

test('finds every entry of any document', async () => {
  const documents = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(documents, fc.integer({ min: 1, max: 50 }), async (document, size) => {
      const expected = Object.entries(document).flatMap(([outer, inner]) =>
        Object.entries(inner).map(([key, value]) => [[outer, key].join('/'), JSON.parse(JSON.stringify(value))]),
      )
      expect(await read(JSON.stringify(document), { size, entryMaxBytes: 1e6 })).toEqual(expected)
    }),
    { seed: 1, numRuns: 200 },
  )
})

test.each(['', '[]', '"text"', '{"a": {', '{"a": {"b": 1}', '{"a": "'])('rejects %j', async (text) => {
  await expect(read(text)).rejects.toThrow(JsonSyntaxError)
})

test('rejects an entry that is too large', async () => {
  await expect(read(JSON.stringify({ nodes: { a: 'x'.repeat(2000) } }))).rejects.toThrow('nodes.a is too large')
})
