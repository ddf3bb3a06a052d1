import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { AccountSession } from './generated/schemas.ts'

export const accountOptions = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request('GET /account', { signal }),
})

export const editAccount = (body: Body<'PATCH /account'>) => request('PATCH /account', { body })

export const changePassword = (body: Body<'POST /account/password'>) => request('POST /account/password', { body })

export const accountSessionsOptions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await request('GET /account/sessions', { signal })).items,
})

export const endSession = (id: string) => request('DELETE /account/sessions/{id}', { params: { id } })
