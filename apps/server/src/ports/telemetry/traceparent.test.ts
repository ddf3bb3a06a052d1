import { expect, test } from 'vitest'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test('reads a header and writes it again', () => {
  const context = { traceId, spanId, isSampled: true }
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(context)
  expect(formatTraceparent(context)).toBe(`00-${traceId}-${spanId}-01`)
  expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ ...context, isSampled: false })
})

test('reads what a later version may add', () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, isSampled: true })
})

test.each([
  ['a missing header', undefined],
  ['two headers', [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`]],
  ['capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['the forbidden version', `ff-${traceId}-${spanId}-01`],
  ['more than this version has', `00-${traceId}-${spanId}-01-more`],
  ['other text', 'drop table runs'],
])('ignores %s', (_, header) => {
  expect(parseTraceparent(header)).toBeUndefined()
})
