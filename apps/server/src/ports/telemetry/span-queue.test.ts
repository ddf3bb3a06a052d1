import { expect, test } from 'vitest'
import type { ExportOutcome } from './otlp-client.ts'
import { judgeAnswer } from './otlp-client.ts'
import { makeSpanQueue } from './span-queue.ts'
import type { EndedSpan } from './spans.ts'

const span = (name: string): EndedSpan => ({
  context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true },
  parentSpanId: undefined,
  name,
  kind: 'internal',
  startedAt: new Date(0),
  durationMs: 1,
  attributes: {},
  failure: undefined,
})

function setUp(answer: (batch: string[]) => ExportOutcome) {
  const batches: string[][] = []
  let fullCount = 0
  const queue = makeSpanQueue({
    async send(batch) {
      const names = batch.map(({ name }) => name)
      batches.push(names)
      return answer(names)
    },
    onBatch: () => (fullCount += 1),
    limits: { waitingMax: 4, batchMax: 2 },
  })
  return { batches, add: (...names: string[]) => names.forEach((name) => queue.add(span(name))), fullCount: () => fullCount, queue }
}

const sent: ExportOutcome = { kind: 'sent', rejectedCount: 0 }

test('sends in batches and reports the first full one', async () => {
  const { batches, add, fullCount, queue } = setUp(() => sent)
  add('a', 'b', 'c')
  expect(fullCount()).toBe(1)
  await queue.exportWaiting()
  expect(batches).toEqual([['a', 'b'], ['c']])
  await queue.exportWaiting()
  expect(batches).toHaveLength(2)
  expect(queue.droppedCount()).toBe(0)
})

test('keeps spans while the collector is absent, drops what exceeds the limit, and calls it once each time', async () => {
  let isAbsent = true
  const { batches, add, fullCount, queue } = setUp(() => (isAbsent ? { kind: 'unavailable', reason: 'refused' } : sent))
  add('a', 'b', 'c', 'd', 'e', 'f')
  await queue.exportWaiting()
  expect(batches).toEqual([['a', 'b']])
  expect(fullCount()).toBe(1)
  expect(queue.droppedCount()).toBe(2)
  isAbsent = false
  await queue.exportWaiting()
  expect(batches.slice(1)).toEqual([['a', 'b'], ['c', 'd']])
  expect(queue.droppedCount()).toBe(2)
})

test('counts what the collector rejects and what is left at the end', async () => {
  const { add, queue } = setUp(([first]) => (first === 'a' ? { kind: 'refused', reason: 'status 400' } : { kind: 'sent', rejectedCount: 1 }))
  add('a', 'b', 'c')
  await queue.exportWaiting()
  expect(queue.droppedCount()).toBe(3)
  add('d')
  queue.dropWaiting()
  expect(queue.droppedCount()).toBe(4)
})

test.each<[number, string, ExportOutcome['kind']]>([
  [200, '{}', 'sent'],
  [202, 'not JSON', 'sent'],
  [429, '', 'unavailable'],
  [503, '', 'unavailable'],
  [400, '', 'refused'],
  [302, '', 'refused'],
  [500, '', 'refused'],
])('status %d with %j is %s', (status, body, kind) => {
  expect(judgeAnswer(status, body).kind).toBe(kind)
})

test('reads how many spans were rejected', () => {
  expect(judgeAnswer(200, '{"partialSuccess":{"rejectedSpans":"7"}}')).toEqual({ kind: 'sent', rejectedCount: 7 })
})
