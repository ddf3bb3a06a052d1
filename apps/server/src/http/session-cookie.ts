import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedSession } from '../domain/people/sessions.ts'
import type { Origin } from '../domain/people/caller.ts'
import { originOf, sessionCookie } from './authenticate.ts'

/** Scripts cannot read it and other sites' requests do not carry it; over plain http it cannot be Secure. */
export function makeSessionCookie({ baseUrl }: { baseUrl: string }) {
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
  return {
    set: (reply: FastifyReply, { token, expiresAt }: Pick<OpenedSession, 'token' | 'expiresAt'>) =>
      reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt }),
    clear: (reply: FastifyReply) => reply.clearCookie(sessionCookie, cookie),
  }
}

/** Only for requests that the session's hook has let through. */
export const tokenOf = (request: FastifyRequest): string => request.cookies[sessionCookie]!

/** What is known of whoever signs in. */
export const visitorOf = (request: FastifyRequest): { userAgent: string | undefined; origin: Origin } => ({
  userAgent: request.headers['user-agent'],
  origin: originOf(request),
})
