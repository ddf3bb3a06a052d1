import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Field } from '../api/first-rows.ts'
import { getReference } from '../api/references.ts'
import { getFirstRows, listRuns } from '../api/runs.ts'
import { isNumeric } from './cell.ts'

const columnsOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['references', shortId, 'columns'],
    queryFn: async ({ signal }): Promise<Field[]> => {
      const { currentQuery } = await getReference(shortId, signal)
      const run = (await listRuns(currentQuery.id, signal)).find(({ status }) => status === 'completed')
      return run ? (await getFirstRows(run.id, { limit: 1, signal })).fields : []
    },
    staleTime: 60_000,
    retry: false,
  })

/** The columns of the latest result of a reference. Empty if there is no result or it has expired; undefined until they are known. */
export function useColumns(shortId: string | undefined): Field[] | undefined {
  const query = useQuery({ ...columnsOptions(shortId ?? ''), enabled: shortId !== undefined })
  return query.isError ? [] : query.data
}

/** The numeric columns of the latest result, as suggestions. */
export function useNumberColumns(shortId: string | undefined): string[] {
  return (useColumns(shortId) ?? []).filter(({ type }) => isNumeric(type)).map(({ name }) => name)
}
