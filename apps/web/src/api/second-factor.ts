import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { SecondFactor, SecondFactorOffer } from './generated/schemas.ts'

/** The second step of a sign-in. It is known by a cookie, so it survives a reload. */
export const secondStepOptions = queryOptions({
  queryKey: ['sign-in', 'second-step'],
  queryFn: ({ signal }) => request('GET /sign-in/second-step', { signal }),
  retry: false,
  staleTime: 0,
})

export const enterCode = (code: string) => request('POST /sign-in/code', { body: { code } })

export const offerAtSignIn = () => request('POST /sign-in/second-factor/offer')

export const setUpAtSignIn = (body: Body<'POST /sign-in/second-factor'>) => request('POST /sign-in/second-factor', { body })

export const secondFactorOptions = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => request('GET /account/second-factor', { signal }),
})

export const offerSecondFactor = (password: string) => request('POST /account/second-factor/offer', { body: { password } })

export const turnOnSecondFactor = (body: Body<'POST /account/second-factor'>) => request('POST /account/second-factor', { body })

type Secrets = Body<'POST /account/second-factor/turn-off'>

export const turnOffSecondFactor = (body: Secrets) => request('POST /account/second-factor/turn-off', { body })

export const renewRecoveryCodes = (body: Secrets) => request('POST /account/second-factor/recovery-codes', { body })

export const resetSecondFactor = (userId: string) => request('DELETE /members/{userId}/second-factor', { params: { userId } })
