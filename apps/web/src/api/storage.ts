import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export const storedTablesOptions = queryOptions({
  queryKey: ['storage'],
  queryFn: async ({ signal }) => (await request('GET /storage', { signal })).items,
  retry: false,
})
