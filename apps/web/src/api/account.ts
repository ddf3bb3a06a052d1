import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export interface Account {
  id: string
  name: string
  email: string
  /** False for somebody who only ever came through the OIDC provider. */
  hasPassword: boolean
}

/** A place where the person is signed in. */
export interface AccountSession {
  id: string
  createdAt: string
  lastSeenAt: string
  userAgent: string | null
  organizationName: string
  /** This one. */
  isCurrent: boolean
}

export const accountOptions = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request<Account>('/account', { signal }),
})

export const editAccount = (change: { name: string }) => request<Account>('/account', { method: 'PATCH', body: change })

export const changePassword = (body: { currentPassword: string; newPassword: string }) =>
  request<void>('/account/password', { method: 'POST', body })

export const accountSessionsOptions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await request<{ items: AccountSession[] }>('/account/sessions', { signal })).items,
})

export const endSession = (id: string) =>
  request<void>(`/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
