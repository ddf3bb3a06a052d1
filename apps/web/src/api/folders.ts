import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { Folder } from './generated/schemas.ts'

/** All folders of the organization. There are at most a thousand. */
export const foldersOptions = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) => (await request('GET /folders', { signal })).items,
})
