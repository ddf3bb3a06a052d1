import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from './mcp-event-stream.ts'

async function* from(chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}
async function eventsOf(...chunks: string[]): Promise<string[]> {
  const events: string[] = []
  for await (const event of readEvents(from(chunks))) events.push(event)
  return events
}

test.each<[string, string, string[]]>([
  ['a single event', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['no space after the colon', 'data:x\n\n', ['x']],
  ['only one leading space is stripped', 'data:  x\n\n', [' x']],
  ['several lines of data', 'data: a\ndata: b\n\n', ['a\nb']],
  ['with a type and an id', 'event: message\nid: 7\ndata: a\n\n', ['a']],
  ['events of other types are ignored', 'event: ping\ndata: a\n\ndata: b\n\n', ['b']],
  ['comments and events without data are ignored', ': hello\n\nid: 1\ndata:\n\nretry: 5\n\n', ['']],
  ['returns', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['CRLF line endings', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['an unterminated event is ignored', 'data: a\n', []],
  ['a field without a value', 'data\n\n', ['']],
])('%s', async (_name, text, events) => {
  expect(await eventsOf(text)).toEqual(events)
})

test('the result does not depend on where the text is split into chunks', async () => {
  const text = fc.array(fc.constantFrom('data: a', 'data', 'event: message', ': c', '\n', '\r', '\r\n', '\n\n', 'é'), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(60)), async (parts, places) => {
      const whole = parts.join('')
      const cuts = [0, ...places.filter((place) => place < whole.length).toSorted((a, b) => a - b), whole.length]
      const chunks = cuts.slice(1).map((end, index) => whole.slice(cuts[index], end))
      expect(await eventsOf(...chunks)).toEqual(await eventsOf(whole))
    }),
    { seed: 20260105, numRuns: 500 },
  )
})
