import { queryOptions } from '@tanstack/react-query'
import type { Query, UrlInput } from './operations.ts'
import { request } from './request.ts'
import { upload, type UploadOptions } from './upload.ts'

export type { DbtImport, DbtMetric } from './generated/schemas.ts'

/** Under `knowledge`, which is read again after every change of it. */
export const dbtImportsOptions = queryOptions({
  queryKey: ['knowledge', 'dbt'],
  queryFn: async ({ signal }) => (await request('GET /knowledge/dbt', { signal })).items,
})

export const importDbt = (artifacts: Blob, query: UrlInput<'POST /knowledge/dbt'>['query'], options: UploadOptions) =>
  upload('POST /knowledge/dbt', artifacts, { query }, options)

export const deleteDbtImport = (query: Query<'DELETE /knowledge/dbt'>) => request('DELETE /knowledge/dbt', { query })
