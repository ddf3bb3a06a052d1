import { queryOptions, useQuery } from '@tanstack/react-query'
import { getReference } from '../../api/references.ts'
import { getFirstRows, listRuns } from '../../api/runs.ts'
import { isNumeric } from '../../results/cell.ts'

const columnsOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['references', shortId, 'number columns'],
    queryFn: async ({ signal }) => {
      const { currentQuery } = await getReference(shortId, signal)
      const run = (await listRuns(currentQuery.id, signal)).find(({ status }) => status === 'completed')
      if (!run) return []
      const { fields } = await getFirstRows(run.id, { limit: 1, signal })
      return fields.filter(({ type }) => isNumeric(type)).map(({ name }) => name)
    },
    staleTime: 60_000,
    retry: false,
  })

/** The numeric columns of the latest result, as suggestions. Empty if there is no result or it has expired. */
export function useNumberColumns(shortId: string | undefined): string[] {
  return useQuery({ ...columnsOptions(shortId ?? ''), enabled: shortId !== undefined }).data ?? []
}
