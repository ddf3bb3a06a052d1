import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { Folder } from './generated/schemas.ts'

/** All folders of the organization. There are at most a thousand. */
export const foldersOptions = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) => (await request('GET /folders', { signal })).items,
})

export const createFolder = (body: Body<'POST /folders'>) => request('POST /folders', { body })

export const editFolder = (id: string, body: Body<'PATCH /folders/{id}'>) => request('PATCH /folders/{id}', { params: { id }, body })

/** Refused while something is in it. */
export const deleteFolder = (id: string) => request('DELETE /folders/{id}', { params: { id } })
