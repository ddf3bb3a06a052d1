/**
 * Limits how long a client may take to send the body of its request, counted from the end of the headers. Node limits the time for the
 * headers and for the whole request; the latter has to allow uploads of gigabytes (see `requestTimeout` in http/build-app.ts).
 *
 * - A body must arrive within `bodyMs`.
 * - An *upload* may take longer while it makes progress: at least `uploadPeriodBytes` in each `uploadPeriodMs`. Periods in which the
 *   service has unread bytes do not count: then the disk is slow, not the client.
 *
 * A late body is rejected with 408 if the handler is waiting for it. If the response was sent without waiting for the body, the
 * connection is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Clock } from '../ports/clock.ts'

export interface BodyLimits {
  bodyMs: number
  uploadPeriodMs: number
  uploadPeriodBytes: number
}

export const defaultBodyLimits: BodyLimits = { bodyMs: 30_000, uploadPeriodMs: 60_000, uploadPeriodBytes: 2 ** 20 }

const uploads = new WeakSet<IncomingMessage>()

/** Call it for a request that may upload a file. */
export const allowUploadTime = (request: IncomingMessage): void => void uploads.add(request)

/** Not a hook: the limit also applies to requests that the first hook rejects or that have no route. */
export function limitBodyTime(app: FastifyInstance, options: { clock: Clock; limits?: BodyLimits | undefined }): void {
  const { clock, limits = defaultBodyLimits } = options
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return
    void watchBody({ clock, limits, request, response })
  })
}

interface Watched {
  clock: Clock
  limits: BodyLimits
  request: IncomingMessage
  response: ServerResponse
}

async function watchBody({ clock, limits, request, response }: Watched): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  request.once('end', end).once('close', end)
  const isPending = () => !over.signal.aborted && !request.complete
  await clock.sleep(limits.bodyMs, over.signal)
  const isUpload = uploads.has(request)
  while (isPending() && isUpload && !response.headersSent) {
    const before = request.socket.bytesRead
    await clock.sleep(limits.uploadPeriodMs, over.signal)
    const isSlow = request.socket.bytesRead - before < limits.uploadPeriodBytes && request.readableLength === 0
    if (isSlow) break
  }
  if (isPending()) reject(request, response, lateBody({ isUpload, limits }))
}

function reject(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  // Code that waits for the body listens for its errors: Fastify's parsers, or the handler that stores an upload.
  const isAwaited = !response.headersSent && request.listenerCount('error') > 0
  if (!isAwaited) return void request.socket.destroy()
  // The rest of the body could not be distinguished from another request.
  response.setHeader('connection', 'close')
  request.emit('error', refusal)
}

function lateBody({ isUpload, limits }: { isUpload: boolean; limits: BodyLimits }): Refusal {
  const message = isUpload
    ? `The upload is too slow: fewer than ${limits.uploadPeriodBytes} bytes arrived within ${limits.uploadPeriodMs / 1000} seconds. Send the file again.`
    : `The body did not arrive within ${limits.bodyMs / 1000} seconds. Send the request again.`
  return new Refusal('request_timeout', message)
}
