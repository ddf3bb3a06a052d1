import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'
import { MessageReader } from './message-reader.ts'

function message(kind: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head[0] = kind
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

async function readMessages(chunks: Iterable<Buffer>): Promise<[number, string][]> {
  const stream = new PassThrough()
  const reader = new MessageReader(stream)
  const messages: [number, string][] = []
  const feeding = (async () => {
    for (const chunk of chunks) {
      stream.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
    stream.end()
  })()
  do {
    while (reader.take()) messages.push([reader.kind, reader.bytes.toString('latin1', reader.start, reader.end)])
  } while (await reader.fill())
  await feeding
  return messages
}

test('reads the same messages however they are chunked', async () => {
  const content = fc.uint8Array({ maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 65, max: 90 }), content), { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      async (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(([kind, content]) => message(kind, content)))
        const chunks: Buffer[] = []
        for (let at = 0, count = 0; at < bytes.length; count++) {
          const end = at + cuts[count % cuts.length]!
          chunks.push(bytes.subarray(at, end))
          at = end
        }
        expect(await readMessages(chunks)).toEqual(messages.map(([kind, content]) => [kind, Buffer.from(content).toString('latin1')]))
      }),
    { seed: 20260105, numRuns: 60 },
  )
})

test('assembles a long message', async () => {
  const long = Buffer.alloc(3_000_000, 'x')
  const bytes = Buffer.concat([message(65, Buffer.from('a')), message(66, long), message(67, Buffer.from('c'))])
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) => bytes.subarray(index * 65_536, (index + 1) * 65_536))
  const messages = await readMessages(chunks)
  expect(messages.map(([kind, content]) => [kind, content.length])).toEqual([[65, 1], [66, 3_000_000], [67, 1]])
})

test('rejects a message that is too long as soon as it begins', async () => {
  const head = Buffer.alloc(5, 'D')
  head.writeUInt32BE(limitBytes * 2 + 1, 1)
  await expect(readMessages([head])).rejects.toThrow(TooManyBytes)
})

test('reports why a connection ended', async () => {
  const stream = new PassThrough()
  const reader = new MessageReader(stream)
  stream.destroy(Object.assign(new Error('gone'), { code: 'ECONNRESET' }))
  expect(await reader.fill()).toBe(false)
  expect(reader.cause).toMatchObject({ code: 'ECONNRESET' })
})
