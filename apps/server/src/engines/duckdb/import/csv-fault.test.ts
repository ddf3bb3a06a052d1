import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFirstLine } from './import-csv.ts'
import { findCsvFault } from './csv-fault.ts'

async function faultOf(text: string | Buffer, chunkBytes = 1024): Promise<string | undefined> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return (await findCsvFault(chunks(), readFirstLine(bytes.toString())))?.message
}

test.each([
  ['a,b\n1,x\n2,y\n'],
  ['a,b\r\n1,"x, ""y"""\r\n\r\n2,"two\r\nlines"\r\n'],
  ['a;b\r1;x\r2;y'],
  ['\uFEFF"a","b"\n,\n"",""\n1,"x" \n'],
  ['name\nit says "so", and "that"\n'],
])('finds no fault in %j', async (text) => {
  for (const chunkBytes of [1, 2, 3, 1024]) expect(await faultOf(text, chunkBytes), String(chunkBytes)).toBeUndefined()
})

test.each([
  ['a value too many', 'a,b\n1,x\n2,y,z\n3,w\n', /^Line 3 .*: it has 3 values where the first line has 2\.\n2,y,z\nRemove/],
  ['a value too few', 'a,b,c\n1,2,3\n4,5\n', /^Line 3 .*: it has 2 values where the first line has 3\.\n4,5\nAdd/],
  ['a single value', 'a,b\r\n1\r\n', /^Line 2 .*: it has 1 value where/],
  ['a fault after line breaks in quotes', 'a,b\r\n1,"x\r\ny\r\n"\r\n\r\n2,y,z\r\n', /^Line 6 .*\n2,y,z\n/],
  ['a quote that is never closed', 'a,b\n1,"x"\n2,"y\n3,z\n', /^Line 3 .*never closed\.\n2,"y\n/],
  ['a quote opened in a later line of its row', 'a,b\n"1\n2","x ""y""\n3,z\n', /^Line 3 .*never closed\.\n2","x ""y""\n/],
  ['text after a quote', 'a,b\n1,"x"\n2,"y"z"\n4,e\n', /^Line 3 .*text follows a closing quote\.\n2,"y"z"\n/],
  ['another encoding', Buffer.from('name,x\nok,1\ncaf\xe9,1\n', 'latin1'), /^Line 3 .*not encoded in UTF-8/],
  ['a fault in the last line, without a line break', 'a,b\n1,2\n3', /^Line 3 /],
])('finds the line of %s however the file is chunked', async (_, text, message) => {
  for (const chunkBytes of [1, 2, 5, 1024]) expect(await faultOf(text, chunkBytes)).toMatch(message)
})

test('truncates a long line in the message', async () => {
  expect(await faultOf(`a,b\n1,2,${'x'.repeat(1000)}\n`)).toMatch(/^Line 2 .*\n1,2,x{296}…\n/)
})

test('finds no fault in a valid file, and the right line once a row has an extra value', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', ' '), maxLength: 6 })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(), fc.integer({ min: 1, max: 9 }), async (cells, seed, chunkBytes) => {
      const lines = cells.map((row) => row.map(quoted).join(','))
      expect(await faultOf(`a,b\n${lines.join('\n')}\n`, chunkBytes)).toBeUndefined()
      const bad = seed % lines.length
      const before = `a,b\n${lines.slice(0, bad).map((line) => `${line}\n`).join('')}`
      const broken = lines.with(bad, `${lines[bad]},1`)
      const number = before.split('\n').length
      expect(await faultOf(`a,b\n${broken.join('\n')}\n`, chunkBytes)).toMatch(new RegExp(`^Line ${number} .*3 values`))
    }),
    { seed: 20260105, numRuns: 200 },
  )
})
