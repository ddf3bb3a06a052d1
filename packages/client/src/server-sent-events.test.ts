import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeServerSentEventReader } from './server-sent-events.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => makeServerSentEventReader().push(bytes(text))

test.each([
  ['an event with all fields', 'id: 7\nevent: webhook\ndata: {}\n\n', [{ lastEventId: '7', event: 'webhook', data: '{}' }]],
  ['data of several lines', 'data: one\ndata\ndata:two\n\n', [{ lastEventId: '', event: 'message', data: 'one\n\ntwo' }]],
  ['only one leading space is stripped', 'data:  x\n\n', [{ lastEventId: '', event: 'message', data: ' x' }]],
  ['comments are ignored', ': still here\n\n', []],
  ['an event without data is ignored', 'event: ready\n\n', []],
  ['and does not affect the next one', 'event: ready\n\ndata: x\n\n', [{ lastEventId: '', event: 'message', data: 'x' }]],
  ['an id applies to later events', 'id: 1\ndata: a\n\ndata: b\n\n', [
    { lastEventId: '1', event: 'message', data: 'a' },
    { lastEventId: '1', event: 'message', data: 'b' },
  ]],
  ['an id with a NUL is ignored', 'id: a\0b\ndata: x\n\n', [{ lastEventId: '', event: 'message', data: 'x' }]],
  ['a byte order mark', '\uFEFFdata: x\n\n', [{ lastEventId: '', event: 'message', data: 'x' }]],
  ['all line endings', 'data: a\r\rdata: b\r\n\r\n', [
    { lastEventId: '', event: 'message', data: 'a' },
    { lastEventId: '', event: 'message', data: 'b' },
  ]],
  ['an incomplete event is ignored', 'data: x\n', []],
])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))

test('retry says how long to wait, in digits only', () => {
  const reader = makeServerSentEventReader()
  reader.push(bytes('retry: 2000\n\nretry: soon\n\n'))
  expect(reader.retryMs()).toBe(2000)
})

test('the result does not depend on where the stream is split', () => {
  const line = fc.constantFrom('id: ü1', 'event: webhook', 'data: {"name": "Grüße 🚀"}', ': comment', 'data', '', '', 'odd')
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (lines, cuts) => {
      // A bare CR before an LF would count as one line end, wherever it is split.
      const whole = bytes(lines.map(([text, end]) => text + end).join(''))
      const reader = makeServerSentEventReader()
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
      const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place))
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(makeServerSentEventReader().push(whole))
    }),
    { seed: 7, numRuns: 300 },
  )
})
