import type { Table } from '../../engines/engine.ts'
import type { Clock } from '../../ports/clock.ts'
import { readRows } from '../../results/read-rows.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { Db } from '../../store/db.ts'
import { listReferenceResults } from '../../store/references/list-reference-results.ts'

export interface DescribeDeps {
  db: Db
  clock: Clock
  results: Pick<ResultStore, 'open'>
  resultLifetimeMs: number
}

/** More than anyone chooses from a list. */
const tablesMax = 500
const readAtOnce = 8

/** The saved queries of an organization as tables, by the text that SQL reads them with. Columns are those of the newest stored result. */
export async function describeSavedQueries(deps: DescribeDeps, organizationId: string): Promise<Table[]> {
  const completedAfter = new Date(deps.clock.now().getTime() - deps.resultLifetimeMs)
  const references = await listReferenceResults(deps.db, { organizationId, completedAfter, count: tablesMax })
  const tables = references.map(
    ({ shortId, title, rowCount }): Table => ({
      schema: 'main',
      name: `ref('${shortId}')`,
      kind: 'view',
      columns: [],
      rowEstimate: rowCount,
      comment: title,
    }),
  )
  const waiting = references.entries()
  // The readers share one iterator.
  await Promise.all(
    Array.from({ length: readAtOnce }, async () => {
      for (const [at, { runId }] of waiting) tables[at]!.columns = runId === null ? [] : await readColumns(deps, runId)
    }),
  )
  return tables
}

async function readColumns({ results }: DescribeDeps, runId: string): Promise<Table['columns']> {
  const stored = await results.open(runId)
  if (!stored) return []
  const rows = await readRows(stored)
  await rows.close()
  return rows.fields.map(({ name, type }) => ({ name, type, nullable: true, comment: null }))
}
