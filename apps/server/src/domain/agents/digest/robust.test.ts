import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field, FieldType } from '../../../model/result.ts'
import { shortened } from '../../shortened.ts'
import { plainText } from '../../plain-text.ts'
import { escapedName } from './escaped-name.ts'
import { type Digested, summarize } from './summary.ts'
import { look } from '../../../../testing/agents/analyze-result.ts'
import { findWrongFigures } from '../../../../testing/agents/check-figures.ts'

const types: FieldType[] = ['integer', 'number', 'decimal', 'string', 'boolean', 'date', 'timestamp', 'json']
const names = ['id', 'order_id', 'n', 'n', 'revenue', 'refund_rate', 'week', 'year', 'rank', 'price_eur', '', '**', '[x](y)', '__proto__']
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', 'NaN', 'Infinity', '-0', '*', '](', '\n- x', '\u0000', '\ud800', 'https://x.test', '<b>', 'x'.repeat(300)),
)
const valueOf: Record<FieldType, fc.Arbitrary<unknown>> = {
  integer: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt().map(String), fc.integer({ min: 0, max: 3 })),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('NaN', 'Infinity', '-Infinity', 0, 5e-324)),
  decimal: fc.tuple(fc.bigInt(), fc.nat(9999)).map(([whole, part]) => `${whole}.${part}`),
  string: text,
  boolean: fc.boolean(),
  date: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  timestamp: fc.oneof(
    fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString()),
    fc.integer({ min: 480_000, max: 490_000 }).map((hours) => new Date(hours * 3600_000).toISOString()),
    fc.constantFrom('infinity', '290000-01-01 (BC) 00:00:00'),
  ),
  json: fc.jsonValue(),
}

const fields = fc.array(fc.record({ name: fc.oneof(fc.constantFrom(...names), text), type: fc.constantFrom(...types) }), { maxLength: 6 })
const rowsOf = (of: Field[]) =>
  fc.array(fc.tuple(...of.map(({ type }) => fc.option(valueOf[type], { freq: 5 }))), { maxLength: 40 })
const result = fields.chain((of) => fc.tuple(fc.constant(of), rowsOf(of), rowsOf(of)))
const stored = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value

test('any result gives a deterministic summary and an observation that can be compared with', async () => {
  await fc.assert(
    fc.asyncProperty(result, async ([of, rows, later]) => {
      const first = await look({ fields: of, rows, title: 'T', runId: 'run_before' })
      const second = await look({ fields: of, rows: later, previous: stored(first.observation), title: 'T' })
      const results = { run_before: { fields: of, rows }, run_now: { fields: of, rows: later } }
      expect([...findWrongFigures(first, results), ...findWrongFigures(second, results)]).toEqual([])
      for (const { summary } of [first, second]) {
        expect(plainText(summary).length).toBeLessThanOrEqual(2000)
        expect(plainText(summary)).toMatch(/^T: \S/)
        expect(summary).not.toMatch(/undefined|NaN %|null|\[object/)
      }
      expect((await look({ fields: of, rows: later, previous: stored(first.observation), title: 'T' })).summary).toBe(second.summary)
      const same = await look({ fields: of, rows, previous: stored(first.observation) })
      expect(same.findings).toMatchObject({ isSame: true, isNotable: false })
    }),
    { seed: 7, numRuns: 400 },
  )
})

test('handles columns that change between two runs', async () => {
  await fc.assert(
    fc.asyncProperty(result, result, async ([of, rows], [other, otherRows]) => {
      const { observation } = await look({ fields: of, rows, runId: 'run_before' })
      const second = await look({ fields: other, rows: otherRows, previous: stored(observation) })
      expect(plainText(second.summary).length).toBeLessThanOrEqual(2000)
      const results = { run_before: { fields: of, rows }, run_now: { fields: other, rows: otherRows } }
      expect(findWrongFigures(second, results)).toEqual([])
    }),
    { seed: 8, numRuns: 200 },
  )
})

test('escapes names, whatever they contain', () => {
  fc.assert(
    fc.property(text, (name) => {
      const line = name.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
      expect(plainText(`New: ${escapedName(name)}.`)).toBe(`New: ${shortened(line, 60)}.`)
    }),
    { seed: 9, numRuns: 500 },
  )
  expect(escapedName('[free](https://evil.test) <script> www.evil.test a@b.test')).toBe(
    '\\[free\\](https\\://evil.test) \\<script\\> www\\.evil.test a\\@b.test',
  )
})

test('fits many references by cutting first findings, then references, and says so', async () => {
  const of: Field[] = [{ name: 'country', type: 'string' }, { name: 'revenue', type: 'integer' }, { name: 'orders', type: 'integer' }]
  const rows = Array.from({ length: 30 }, (_, n) => [`A country with a rather long name ${n}`, n, n])
  const { findings } = await look({ fields: of, rows })
  const digested = (count: number) =>
    Array.from({ length: count }, (_, n): Digested => ({ title: `Reference ${n}`, runId: `run_${n}`, runUrl: `https://querypost.test/runs/run_${n}`, findings }))
  expect(summarize(digested(3)).text).not.toContain('more finding')
  expect(summarize(digested(8)).text).toContain('- and 1 more finding.')
  const { text: most } = summarize(digested(100))
  expect(most).toMatch(/And \d+ more references; the steps above show them\./)
  expect(plainText(most).length).toBeLessThanOrEqual(2000)
})
