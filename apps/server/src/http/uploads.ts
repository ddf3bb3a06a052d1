import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { uploadTooLarge } from '../domain/databases/store-upload.ts'
import { Refusal } from '../domain/refusal.ts'
import { allowUploadTime } from './body-deadlines.ts'
import type { Api } from './typed.ts'

/** For routes whose body is a file, which is streamed to disk and never held in memory. */
export function acceptFiles(api: Api): void {
  api.removeAllContentTypeParsers()
  api.addHook('onRequest', async ({ raw }) => allowUploadTime(raw))
  api.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * Rejects a file before it is sent if its declared size is too large. Files without a declared size are counted while they arrive.
 */
export function uploadOf(request: FastifyRequest, maxBytes: number): Readable {
  const isForm = request.headers['content-type']?.startsWith('multipart/')
  if (!(request.body instanceof Readable) || isForm) {
    const message = 'Send the file itself as the body, with Content-Type: application/octet-stream.'
    throw new Refusal('invalid_request', message)
  }
  if (Number(request.headers['content-length']) > maxBytes) throw uploadTooLarge(maxBytes)
  return request.body
}

/** Aborts when the client disconnects before the response is complete. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
