import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { Welcome } from './generated/schemas.ts'

/** Reads what a setup or password reset link is for. The link works without a session. */
export const welcomeOptions = (token: string) =>
  queryOptions({
    queryKey: ['welcome', token],
    queryFn: () => request('POST /welcome/read', { body: { token } }),
    staleTime: Infinity,
  })

export const finishWelcome = (body: Body<'POST /welcome'>) => request('POST /welcome', { body })

export const requestPasswordReset = (email: string) => request('POST /password-reset/request', { body: { email } })

export const passwordResetOptions = (token: string) =>
  queryOptions({
    queryKey: ['password-reset', token],
    queryFn: () => request('POST /password-reset/read', { body: { token } }),
    staleTime: Infinity,
  })

export const resetPassword = (body: Body<'POST /password-reset'>) => request('POST /password-reset', { body })
