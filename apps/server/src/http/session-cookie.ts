import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedSession } from '../domain/people/sessions.ts'
import { sessionCookie } from './authenticate.ts'

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

export const userAgentOf = (request: FastifyRequest): { userAgent: string | undefined } => ({
  userAgent: request.headers['user-agent'],
})
