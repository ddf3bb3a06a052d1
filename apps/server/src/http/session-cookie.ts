import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownDevices } from '../domain/people/known-devices.ts'
import type { OpenedSession } from '../domain/people/sessions.ts'
import type { Origin } from '../model/caller.ts'
import { originOf, sessionCookie } from './authenticate.ts'

export const deviceCookie = 'querypost_device'

/**
 * The cookies of somebody who signs in: the session's, and the device's, which stays when the session ends. Scripts cannot read them
 * and other sites' requests do not carry them; over plain http they cannot be Secure.
 */
export function makeSessionCookie({ baseUrl, knownDevices }: { baseUrl: string; knownDevices: KnownDevices }) {
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
  function rememberDevice(reply: FastifyReply, signedIn: { userId: string; passwordStamp: string }): FastifyReply {
    const { value, expiresAt } = knownDevices.remember(reply.request.cookies[deviceCookie], signedIn)
    // Only the routes where a password is given need it.
    return reply.setCookie(deviceCookie, value, { ...cookie, path: '/app/api', expires: expiresAt })
  }
  return {
    set(reply: FastifyReply, { token, expiresAt, caller, passwordStamp }: OpenedSession): FastifyReply {
      reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt })
      return rememberDevice(reply, { userId: caller.userId, passwordStamp })
    },
    rememberDevice,
    clear: (reply: FastifyReply) => reply.clearCookie(sessionCookie, cookie),
  }
}

/** Only for requests that the session's hook has let through. */
export const tokenOf = (request: FastifyRequest): string => request.cookies[sessionCookie]!

/** What is known of whoever signs in. */
export const visitorOf = (
  request: FastifyRequest,
): { userAgent: string | undefined; deviceCookie: string | undefined; origin: Origin } => ({
  userAgent: request.headers['user-agent'],
  deviceCookie: request.cookies[deviceCookie],
  origin: originOf(request),
})
