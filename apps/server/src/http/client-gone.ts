import type { FastifyReply } from 'fastify'

/** Aborts when the client disconnects, so that nobody computes what nobody reads. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  return gone.signal
}

/** Only for the log; the client is gone. */
export const clientLeft = 499
