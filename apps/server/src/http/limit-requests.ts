import type { FastifyReply, FastifyRequest } from 'fastify'
import type { makeApiLimiter } from '../domain/api-limits/api-limits.ts'
import { Refusal } from '../domain/refusal.ts'

/** For routes that authenticate by key, after that hook. */
export function makeLimitHook(takeRequest: NonNullable<ReturnType<typeof makeApiLimiter>>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { keyId, caller } = request.key!
    const { limit, remaining, resetMs, waitMs } = await takeRequest({ keyId, organizationId: caller.organizationId })
    reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': Math.ceil(resetMs / 1000) })
    if (waitMs === 0) return
    const message = `At most ${limit} requests a minute are allowed. Wait as long as the Retry-After header says, then try again.`
    throw new Refusal('too_many_requests', message, undefined, { retryAfterMs: waitMs })
  }
}
