import type { Tx } from '../../store/db.ts'
import { readSqlForRefs } from '../../store/queries/read-sql-for-refs.ts'
import { checkInputs, readInputQueries } from './input-queries.ts'

/** Rejects a query for a saved query that would then read its own result. */
export async function refuseReadingItself(
  tx: Tx,
  { organizationId, reference, queryId }: { organizationId: string; reference: { shortId: string; title: string }; queryId: string },
): Promise<void> {
  const sql = await readSqlForRefs(tx, { organizationId, queryId })
  if (sql === undefined) return
  checkInputs(sql, await readInputQueries(tx, organizationId, [sql]), reference)
}
