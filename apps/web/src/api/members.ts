import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import type { Role } from './session.ts'

export interface Member {
  id: string
  name: string
  email: string
  role: Role
  joinedAt: string
}

export const membersOptions = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await request<{ items: Member[] }>('/members', { signal })).items,
})

const address = (userId: string) => `/members/${encodeURIComponent(userId)}`

export const changeRole = ({ userId, role }: { userId: string; role: Role }) =>
  request<Member>(address(userId), { method: 'PATCH', body: { role } })

export const removeMember = (userId: string) => request<void>(address(userId), { method: 'DELETE' })
