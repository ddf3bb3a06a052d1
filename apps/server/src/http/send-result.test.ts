import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { SentResult } from '../domain/results/results.ts'
import { sendResult } from './send-result.ts'

const stored = gzipSync(JSON.stringify({ text: randomBytes(300_000).toString('hex') }))
const pieceBytes = 64 * 1024

function serve() {
  let offset = 0
  const bytes = new Readable({
    read() {
      const piece = stored.subarray(offset, offset + pieceBytes)
      offset += piece.length
      this.push(piece.length > 0 ? piece : null)
    },
  })
  const open = async () => ({ sizeBytes: stored.length, encoding: 'gzip' as const, bytes })
  const result = { hash: 'hash', run: { completedAt: new Date(0) }, open } as SentResult
  const app = fastify()
  app.get('/', (request, reply) => sendResult(request, reply, result))
  const ask = (method: 'GET' | 'HEAD', accepted: string) => app.inject({ method, url: '/', headers: { 'accept-encoding': accepted } })
  return { ask, bytes, bytesRead: () => offset }
}

test.each(['gzip', 'identity'])('answers HEAD with the headers of GET without reading the result: %s', async (accepted) => {
  const read = serve()
  const whole = await read.ask('GET', accepted)
  expect(read.bytesRead()).toBe(stored.length)
  const { ask, bytes, bytesRead } = serve()
  const head = await ask('HEAD', accepted)
  const withoutDate = ({ date: _, 'transfer-encoding': __, ...others }: typeof head.headers) => others
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect(withoutDate(head.headers)).toEqual(withoutDate(whole.headers))
  expect(bytesRead()).toBe(0)
  expect(bytes.destroyed).toBe(true)
})
