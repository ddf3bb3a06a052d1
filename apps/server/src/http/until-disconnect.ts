import type { FastifyReply } from 'fastify'
import { abortOnDisconnect } from './uploads.ts'

/** Only for the log; the client is gone. */
const clientLeft = 499

/** Does long work until the client disconnects. Undefined if it did: then the reply is over, and stopping is not a failure. */
export async function untilDisconnect<Result>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
  const signal = abortOnDisconnect(reply)
  try {
    return await work(signal)
  } catch (error) {
    if (!signal.aborted) throw error
    void reply.code(clientLeft).send()
    return undefined
  }
}
