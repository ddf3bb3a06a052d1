import { queryOptions } from '@tanstack/react-query'
import type { Invitation, NewInvitation, Role } from './generated/schemas.ts'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { Invitation, NewInvitation, OpenedInvitation } from './generated/schemas.ts'

export const invitationsOptions = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await request('GET /invitations', { signal })).items,
})

export const createInvitation = (body: { email: string; role: Role }) => request('POST /invitations', { body })

export const withdrawInvitation = (id: string) => request('DELETE /invitations/{id}', { params: { id } })

/** Replaces a lost link with a new one. The old link stops working. */
export async function renewInvitation({ id, email, role }: Invitation): Promise<NewInvitation> {
  await withdrawInvitation(id)
  return createInvitation({ email, role })
}

export const openedInvitationOptions = (token: string) =>
  queryOptions({
    queryKey: ['invitations', 'opened', token],
    queryFn: () => request('POST /invitations/read', { body: { token } }),
    staleTime: Infinity,
  })

export const acceptInvitation = (body: Body<'POST /invitations/accept'>) => request('POST /invitations/accept', { body })
