import { expect, test } from 'vitest'
import { sampleBytesMax, sampleRowsMax } from '../../../model/change-feed.ts'
import { parseExactly } from './parse-exactly.ts'
import { sampleRows } from './sample-rows.ts'

type Op = 'add' | 'change' | 'remove'
const rowOf = (op: Op, number: number, text = '') => `{"op":"${op}","key":[${number}],"text":"${text}"}`
async function* rowsOf(counts: Record<Op, number>, onRead = () => {}) {
  for (const op of ['add', 'change', 'remove'] as const) {
    for (let number = 0; number < counts[op]; number++) {
      onRead()
      yield rowOf(op, number)
    }
  }
}
const opsOf = (rows: string[]) => rows.map((row) => (JSON.parse(row) as { op: Op }).op)

test('shows the first rows of each kind in their order', async () => {
  const counts = { add: 100, change: 2, remove: 100 }
  const rows = await sampleRows(rowsOf(counts), counts)
  expect(rows).toHaveLength(sampleRowsMax)
  expect(rows[0]).toBe(rowOf('add', 0))
  expect(opsOf(rows)).toEqual([...Array<Op>(9).fill('add'), 'change', 'change', ...Array<Op>(9).fill('remove')])
})

test('reads no further than it needs', async () => {
  let readCount = 0
  const counts = { add: 1000, change: 0, remove: 0 }
  expect(await sampleRows(rowsOf(counts, () => readCount++), counts)).toHaveLength(sampleRowsMax)
  expect(readCount).toBe(sampleRowsMax)
})

test('leaves out rows that would make the event too large', async () => {
  async function* rows() {
    yield rowOf('add', 1, 'x'.repeat(sampleBytesMax))
    for (let number = 2; number < 6; number++) yield rowOf('add', number, 'x'.repeat(sampleBytesMax / 3))
  }
  const sample = await sampleRows(rows(), { add: 5, change: 0, remove: 0 })
  expect(sample.map((row) => (JSON.parse(row) as { key: number[] }).key)).toEqual([[2], [3]])
})

test('numbers in samples keep their digits', () => {
  const text = '{"a":[12345678901234567890,1.50,"2.50",null,{"b":1e400}]}'
  expect(JSON.stringify(parseExactly(text))).toBe(text)
})
