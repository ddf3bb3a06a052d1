import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { uploadTooLarge } from '../domain/databases/store-upload.ts'
import { Refusal } from '../domain/refusal.ts'
import { allowUploadTime } from './body-deadlines.ts'
import type { Api } from './typed.ts'

/** For routes whose body is a file: a stream from the socket to the disk, never held in memory. */
export function takeFiles(api: Api): void {
  api.removeAllContentTypeParsers()
  api.addHook('onRequest', async ({ raw }) => allowUploadTime(raw))
  api.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * A file that says how large it is, and is too large, is refused before it is sent. The others are counted as they
 * come.
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

/** Aborts when the client has gone before it could be answered. */
export function whileListening(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
