import { usesRef } from '../../engines/lineage/ref-calls.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { readsSavedQueries } from '../databases/reads-saved-queries.ts'
import { Refusal } from '../refusal.ts'
import { getRefCalls } from './input-queries.ts'

/** Rejects calls of `ref` that cannot be read, and those in a query on another database. */
export function checkRefs(sql: string, database: AnalyticalDatabase): void {
  if (readsSavedQueries(database)) getRefCalls(sql)
  else if (usesRef(sql, database.engine)) {
    throw new Refusal('ref_invalid', 'ref(…) reads saved queries only in queries on the database “Saved queries”. Choose that database, or remove the call.')
  }
}
