import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeSampler } from './sampler.ts'
import { currentTraceparent, type EndedSpan, inSpan, inStartedSpan, makeTracer, sqlAttribute } from './spans.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

function setUp({ showsSql = false } = {}) {
  const ended: EndedSpan[] = []
  const clock = manualClock()
  const sampler = makeSampler({ name: 'parentbased_always_on', ratio: 1 })
  const tracer = makeTracer({ clock, random: seededRandom('telemetry'), sampler, showsSql, onEnded: (span) => ended.push(span) })
  return { tracer, ended, clock }
}

test('nested work forms one trace, across asynchronous calls', async () => {
  const { tracer, ended, clock } = setUp()
  const root = tracer.start({ name: 'request', kind: 'server', parent: null })
  await inStartedSpan(root, async () => {
    await Promise.resolve()
    await inSpan({ name: 'statement', attributes: { rows: 3 } }, async (span) => {
      clock.leap(20)
      span.set({ rows: 4 })
    })
  })
  const [statement, request] = ended
  expect(request).toMatchObject({ name: 'request', kind: 'server', parentSpanId: undefined, durationMs: 20, failure: undefined })
  expect(statement).toMatchObject({ name: 'statement', parentSpanId: request!.context.spanId, attributes: { rows: 4 } })
  expect(statement!.context.traceId).toBe(request!.context.traceId)
})

test('a trace continues from a stored traceparent', () => {
  const { tracer } = setUp()
  const above = tracer.start({ name: 'request', parent: undefined })
  const stored = above.run(currentTraceparent)
  expect(parseTraceparent(stored)).toEqual(above.context)
  expect(tracer.start({ name: 'run', parent: stored }).context.traceId).toBe(above.context.traceId)
  expect(tracer.start({ name: 'run', parent: 'not a traceparent' }).context.traceId).not.toBe(above.context.traceId)
})

test('work that throws has failed by the name of its error, without its message', async () => {
  const { tracer, ended } = setUp()
  const work = inStartedSpan(tracer.start({ name: 'run', parent: null }), async () => {
    throw new TypeError('password=secret')
  })
  await expect(work).rejects.toThrow('secret')
  expect(ended).toMatchObject([{ failure: 'TypeError' }])
  expect(JSON.stringify(ended)).not.toContain('secret')
})

test('a trace that is not sampled is passed on but not exported', () => {
  const { tracer, ended } = setUp()
  const parent = formatTraceparent({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: false })
  const span = tracer.start({ name: 'run', parent })
  span.end()
  expect(span.run(currentTraceparent)).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/)
  expect(ended).toEqual([])
})

test('a span is exported once', () => {
  const { tracer, ended } = setUp()
  const span = tracer.start({ name: 'run', parent: null })
  span.end()
  span.end()
  expect(ended).toHaveLength(1)
})

test('SQL is left out unless the operator allows it', () => {
  expect(setUp().tracer.start({ name: 'run', parent: null }).run(() => sqlAttribute('select 1'))).toEqual({})
  expect(setUp({ showsSql: true }).tracer.start({ name: 'run', parent: null }).run(() => sqlAttribute('select 1'))).toEqual({
    'db.query.text': 'select 1',
  })
})

test('without a tracer, work is only done', async () => {
  expect(await inSpan({ name: 'statement' }, async (span) => (span.set({ rows: 1 }), 'done'))).toBe('done')
  expect(currentTraceparent()).toBeNull()
  expect(sqlAttribute('select 1')).toEqual({})
})
