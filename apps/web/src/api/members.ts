import { queryOptions } from '@tanstack/react-query'
import type { Role } from './generated/schemas.ts'
import { request } from './request.ts'

export type { Member } from './generated/schemas.ts'

export const membersOptions = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await request('GET /members', { signal })).items,
})

export const changeRole = ({ userId, role }: { userId: string; role: Role }) =>
  request('PATCH /members/{userId}', { params: { userId }, body: { role } })

export const removeMember = (userId: string) => request('DELETE /members/{userId}', { params: { userId } })
