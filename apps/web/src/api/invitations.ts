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

/** The link that was shown once is lost: another takes its place, and the old one opens nothing any more. */
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
