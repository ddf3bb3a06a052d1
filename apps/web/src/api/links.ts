import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

/** What the links of the first start and for a new password open. Whoever has one needs no session. */

export interface Welcome {
  email: string
  organizationName: string
}

export const welcomeOptions = (token: string) =>
  queryOptions({
    queryKey: ['welcome', token],
    queryFn: () => request<Welcome>('/welcome/read', { method: 'POST', body: { token } }),
    staleTime: Infinity,
  })

export const finishWelcome = (body: {
  token: string
  name: string
  email: string
  password: string
  organizationName: string
}) => request<void>('/welcome', { method: 'POST', body })

export const requestPasswordReset = (email: string) =>
  request<void>('/password-reset/request', { method: 'POST', body: { email } })

export const passwordResetOptions = (token: string) =>
  queryOptions({
    queryKey: ['password-reset', token],
    queryFn: () => request<{ email: string }>('/password-reset/read', { method: 'POST', body: { token } }),
    staleTime: Infinity,
  })

export const resetPassword = (body: { token: string; password: string }) =>
  request<void>('/password-reset', { method: 'POST', body })
