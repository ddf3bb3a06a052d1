import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from '../accepted-encodings.ts'
import { isKnown } from '../send-result.ts'

/** Text that is compressed once and sent many times. */
export interface Packed {
  contentType: string
  bytes: Buffer
  gzipped: Buffer
  hash: string
}

export function pack(text: string, contentType: string): Packed {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { contentType, bytes, gzipped: gzipSync(bytes), hash }
}

/** Clients cache it and revalidate each time, or keep it forever (`isForever`) if its address contains the hash. */
export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  packed: Packed,
  options: { isForever?: boolean } = {},
) {
  const takesGzip = acceptsGzip(request.headers['accept-encoding'])
  reply
    .header('etag', `"${packed.hash}${takesGzip ? '-gzip' : ''}"`)
    .header('vary', 'accept-encoding')
    .header('cache-control', options.isForever ? 'public, max-age=31536000, immutable' : 'public, no-cache')
  if (isKnown(request.headers['if-none-match'], packed.hash)) return reply.code(304).send()
  reply.type(packed.contentType)
  if (!takesGzip) return reply.send(packed.bytes)
  return reply.header('content-encoding', 'gzip').send(packed.gzipped)
}
