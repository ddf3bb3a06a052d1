import type { FastifyReply } from 'fastify'

/** Only for the log; the client is gone. */
const clientLeft = 499

/** Does long work until the client disconnects. Undefined if it did: then the reply is over, and stopping is not a failure. */
export async function untilDisconnect<Result>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  try {
    return await work(gone.signal)
  } catch (error) {
    if (!gone.signal.aborted) throw error
    void reply.code(clientLeft).send()
    return undefined
  }
}
