import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentResult } from '../domain/results/results.ts'
import { unpacked } from '../results/encodings.ts'
import type { Encoding } from '../results/result-store.ts'
import { acceptsGzip, acceptsZstd } from './accepted-encodings.ts'

/**
 * Sends the stored, compressed bytes of a result to clients that accept their encoding. For others, they are unpacked while they are sent,
 * and compressed again with gzip if the client accepts that. The ETag is derived from the content, so a refresh that changed nothing still
 * gives 304. It is a strong ETag, so it differs by encoding.
 */
export async function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  result: SentResult,
  options: { disposition?: string } = {},
) {
  const accepted = request.headers['accept-encoding']
  const takesGzip = acceptsGzip(accepted)
  reply.header('vary', 'accept-encoding')
  reply.header('cache-control', 'private, no-cache')
  reply.header('last-modified', result.run.completedAt!.toUTCString())
  const tagFor = (encoding: Encoding | undefined) => `"${result.hash}${encoding ? `-${encoding}` : ''}"`
  const known = request.headers['if-none-match']
  if (isKnown(known, result.hash)) {
    // Only a result that is stored with zstd was ever sent with it.
    const wasZstd = acceptsZstd(accepted) && known!.includes(tagFor('zstd'))
    return reply.header('etag', tagFor(wasZstd ? 'zstd' : takesGzip ? 'gzip' : undefined)).code(304).send()
  }
  const stored = await result.open()
  const isSentAsStored = stored.encoding === 'zstd' ? acceptsZstd(accepted) : takesGzip
  const encoding = isSentAsStored ? stored.encoding : takesGzip ? 'gzip' : undefined
  reply.header('etag', tagFor(encoding))
  if (encoding) reply.header('content-encoding', encoding)
  if (options.disposition) reply.header('content-disposition', options.disposition)
  reply.type('application/json; charset=utf-8')
  if (isSentAsStored) reply.header('content-length', stored.sizeBytes)
  if (request.method === 'HEAD') {
    // Fastify would read the bytes to their end. It leaves the headers as they are only for a stream.
    if (stored.bytes instanceof Readable) stored.bytes.destroy()
    return reply.send(Readable.from([]))
  }
  if (isSentAsStored) return reply.send(stored.bytes)
  const text = unpacked(stored)
  return reply.send(encoding ? text.compose(createGzip({ level: 1 })) : text)
}

/** If-None-Match uses weak comparison: any encoding of the same result matches. */
export function isKnown(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === '*' || [hash, `${hash}-gzip`, `${hash}-zstd`].some((known) => tag === `"${known}"`)
  })
}
