import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentResult } from '../domain/results/results.ts'
import { acceptsGzip } from './accepted-encodings.ts'

/**
 * Sends the stored, compressed bytes of a result to clients that accept gzip, and decompresses them for the others. The ETag
 * is derived from the content, so a refresh that changed nothing still gives 304. It is a strong ETag, so it differs by encoding.
 */
export async function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  result: SentResult,
  options: { disposition?: string } = {},
) {
  const takesGzip = acceptsGzip(request.headers['accept-encoding'])
  reply.header('etag', `"${result.hash}${takesGzip ? '-gzip' : ''}"`)
  reply.header('vary', 'accept-encoding')
  reply.header('cache-control', 'private, no-cache')
  reply.header('last-modified', result.run.completedAt!.toUTCString())
  if (isKnown(request.headers['if-none-match'], result.hash)) return reply.code(304).send()
  const stored = await result.open()
  if (options.disposition) reply.header('content-disposition', options.disposition)
  reply.type('application/json; charset=utf-8')
  if (takesGzip) {
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', stored.sizeBytes)
    return reply.send(stored.bytes)
  }
  const packed = Buffer.isBuffer(stored.bytes) ? Readable.from([stored.bytes]) : stored.bytes
  return reply.send(packed.compose(createGunzip()))
}

/** If-None-Match uses weak comparison: either encoding of the same result matches. */
export function isKnown(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === '*' || tag === `"${hash}"` || tag === `"${hash}-gzip"`
  })
}
