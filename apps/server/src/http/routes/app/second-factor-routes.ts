import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  getSecondFactor,
  offerSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../../../domain/people/second-factor.ts'
import { enterCode, offerAtSignIn, readSecondStep, setUpAtSignIn } from '../../../domain/people/second-step.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { closed } from '../../schemas.ts'
import {
  AcceptedOffer,
  RecoveryCodes,
  SecondFactor,
  SecondFactorOffer,
  SecondStep,
  signInResponse,
} from '../../schemas/people-schemas.ts'
import { makeSessionCookie, pendingCookie, tokenOf, visitorOf } from '../../session-cookie.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const pendingOf = (request: FastifyRequest) => ({ sealed: request.cookies[pendingCookie], ...visitorOf(request) })

const Secrets = Type.Object({ password: Type.String(), code: Type.String() }, closed)

/** The second step of a sign-in, for a browser whose password was right, and the second factor of the signed-in user. */
export function secondFactorRoutes(open: Api, signedIn: Api, services: PeopleServices): void {
  const cookie = makeSessionCookie(services)

  open.get('/app/api/sign-in/second-step', { schema: { response: { 200: SecondStep } } }, async (request) =>
    readSecondStep(services, pendingOf(request)),
  )

  open.post(
    '/app/api/sign-in/code',
    { schema: { body: Type.Object({ code: Type.String() }, closed), response: signInResponse } },
    async (request, reply) => cookie.answer(reply, await enterCode(services, pendingOf(request), request.body.code)),
  )

  open.post(
    '/app/api/sign-in/second-factor/offer',
    { ...noBody, schema: { response: { 200: SecondFactorOffer } } },
    async (request) => offerAtSignIn(services, pendingOf(request)),
  )

  open.post(
    '/app/api/sign-in/second-factor',
    { schema: { body: AcceptedOffer, response: { 200: RecoveryCodes } } },
    async (request, reply) => {
      const { opened, recoveryCodes } = await setUpAtSignIn(services, pendingOf(request), request.body)
      return cookie.set(reply, opened).send({ recoveryCodes })
    },
  )

  signedIn.get('/app/api/account/second-factor', { schema: { response: { 200: SecondFactor } } }, async (request) =>
    timesAsText(await getSecondFactor(services, callerOf(request))),
  )

  signedIn.post(
    '/app/api/account/second-factor/offer',
    { schema: { body: Type.Object({ password: Type.String() }, closed), response: { 200: SecondFactorOffer } } },
    async (request) => offerSecondFactor(services, callerOf(request), { ...request.body, token: tokenOf(request) }),
  )

  signedIn.post(
    '/app/api/account/second-factor',
    { schema: { body: AcceptedOffer, response: { 200: RecoveryCodes } } },
    async (request) => {
      const { userId, origin } = callerOf(request)
      return { recoveryCodes: await turnOnSecondFactor(services, { ...request.body, userId, origin, token: tokenOf(request) }) }
    },
  )

  signedIn.post(
    '/app/api/account/second-factor/recovery-codes',
    { schema: { body: Secrets, response: { 200: RecoveryCodes } } },
    async (request) => ({
      recoveryCodes: await renewRecoveryCodes(services, callerOf(request), { ...request.body, token: tokenOf(request) }),
    }),
  )

  signedIn.post(
    '/app/api/account/second-factor/turn-off',
    { schema: { body: Secrets, response: noContent } },
    async (request, reply) => {
      await turnOffSecondFactor(services, callerOf(request), { ...request.body, token: tokenOf(request) })
      return reply.code(204).send()
    },
  )
}
