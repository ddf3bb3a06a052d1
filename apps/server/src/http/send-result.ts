import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentResult } from '../domain/results/results.ts'

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

/** See RFC 9110, 12.5.3: gzip, or else `*`, must be listed with a weight above 0. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map<string, number>()
  for (const part of String(header ?? '').toLowerCase().split(',')) {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(coding!, weight === undefined ? 1 : Number(weight))
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** If-None-Match uses weak comparison: either encoding of the same result matches. */
export function isKnown(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === '*' || tag === `"${hash}"` || tag === `"${hash}-gzip"`
  })
}
