import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownDevices } from '../domain/people/known-devices.ts'
import type { KeptSignIn } from '../domain/people/pending-sign-in.ts'
import type { OpenedSession } from '../domain/people/sessions.ts'
import type { Origin } from '../model/caller.ts'
import { originOf, sessionCookie } from './authenticate.ts'

export const deviceCookie = 'querypost_device'
/** A sign-in that lacks its second step. */
export const pendingCookie = 'querypost_sign_in'

/** Only the routes of the second step need the pending sign-in. */
const secondStepPath = '/app/api/sign-in'

/**
 * The cookies of a signed-in user: one for the session, and one for the device, which stays when the session ends. Scripts cannot read
 * them, and requests from other sites do not carry them. Over plain http they cannot be Secure.
 */
export function makeSessionCookie({ baseUrl, knownDevices }: { baseUrl: string; knownDevices: KnownDevices }) {
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
  function rememberDevice(reply: FastifyReply, signedIn: { userId: string; passwordStamp: string }): FastifyReply {
    const { value, expiresAt } = knownDevices.remember(reply.request.cookies[deviceCookie], signedIn)
    // Only the routes that take a password need it.
    return reply.setCookie(deviceCookie, value, { ...cookie, path: '/app/api', expires: expiresAt })
  }
  function set(reply: FastifyReply, started: OpenedSession | KeptSignIn): FastifyReply {
    if ('sealed' in started) {
      return reply.setCookie(pendingCookie, started.sealed, { ...cookie, path: secondStepPath, expires: started.expiresAt })
    }
    const { token, expiresAt, caller, passwordStamp } = started
    reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt })
    if (reply.request.cookies[pendingCookie] !== undefined) reply.clearCookie(pendingCookie, { ...cookie, path: secondStepPath })
    return rememberDevice(reply, { userId: caller.userId, passwordStamp })
  }
  return {
    set,
    /** The response to a sign-in: done, or the step that is missing. */
    answer(reply: FastifyReply, started: OpenedSession | KeptSignIn): FastifyReply {
      set(reply, started)
      return 'token' in started ? reply.code(204).send() : reply.code(200).send({ step: started.step })
    },
    rememberDevice,
    clear: (reply: FastifyReply) => reply.clearCookie(sessionCookie, cookie),
  }
}

/** Only for requests that have passed the session hook. */
export const tokenOf = (request: FastifyRequest): string => request.cookies[sessionCookie]!

/** What the service knows about a client that signs in. */
export const visitorOf = (
  request: FastifyRequest,
): { userAgent: string | undefined; deviceCookie: string | undefined; origin: Origin } => ({
  userAgent: request.headers['user-agent'],
  deviceCookie: request.cookies[deviceCookie],
  origin: originOf(request),
})
