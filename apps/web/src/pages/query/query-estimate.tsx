import { definitionOf } from '@querypost/server/engine-definitions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { estimateQuery } from '../../api/queries.ts'
import { missingValues } from '../../parameters/missing-values.ts'
import { valuesToSend } from '../../parameters/values.ts'
import { fileSize } from '../../ui/file-size.ts'
import { useDebounced } from '../../ui/use-debounced.ts'
import type { WorkbenchState } from './use-workbench.ts'

const settleMs = 600
const none = { estimatedBytes: null, exceededLimit: null }

/** How much the query would read, and whether that is more than allowed. Nothing for engines without an estimate. */
export function QueryEstimate({ state }: { state: WorkbenchState }) {
  const { sql, database, definitions, values } = state
  const isReady =
    database !== undefined && definitionOf(database.engine).estimatesBytes === true && sql.trim() !== '' &&
    Object.keys(missingValues(definitions, values)).length === 0
  const wanted = isReady
    ? { databaseId: database.id, sql, parameters: definitions, parameterValues: valuesToSend(definitions, values) }
    : null
  const settled = useDebounced(wanted && JSON.stringify(wanted), settleMs)
  const { data } = useQuery({
    queryKey: ['estimate', settled],
    queryFn: ({ signal }) => estimateQuery(JSON.parse(settled!) as NonNullable<typeof wanted>, signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const { estimatedBytes, exceededLimit } = (wanted && settled !== null && data) || none
  return (
    <p className="min-h-4 text-xs text-soft empty:hidden" aria-live="polite">
      {exceededLimit === null ? (
        estimatedBytes !== null && `This query reads ${fileSize(estimatedBytes)}.`
      ) : (
        <span className="text-danger">{exceededLimit}</span>
      )}
    </p>
  )
}
