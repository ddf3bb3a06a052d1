import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import type { Role } from './session.ts'

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: { id: string; name: string }
  createdAt: string
  expiresAt: string
}

/** The only place where the link can be read. */
export interface NewInvitation extends Invitation {
  url: string
  isMailed: boolean
  /** What the mail server said when it did not take the letter. */
  mailFault: string | null
}

/** What whoever opens the link is told. */
export interface OpenedInvitation {
  organizationName: string
  email: string
  role: Role
  invitedByName: string
  expiresAt: string
  hasAccount: boolean
}

export const invitationsOptions = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await request<{ items: Invitation[] }>('/invitations', { signal })).items,
})

export const createInvitation = (body: { email: string; role: Role }) =>
  request<NewInvitation>('/invitations', { method: 'POST', body })

export const withdrawInvitation = (id: string) =>
  request<void>(`/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' })

/** The link that was shown once is lost: another takes its place, and the old one opens nothing any more. */
export async function renewInvitation({ id, email, role }: Invitation): Promise<NewInvitation> {
  await withdrawInvitation(id)
  return createInvitation({ email, role })
}

export const openedInvitationOptions = (token: string) =>
  queryOptions({
    queryKey: ['invitations', 'opened', token],
    queryFn: () => request<OpenedInvitation>('/invitations/read', { method: 'POST', body: { token } }),
    staleTime: Infinity,
  })

export const acceptInvitation = (body: { token: string; name?: string; password?: string }) =>
  request<void>('/invitations/accept', { method: 'POST', body })
