import { isTable, readLineage, readsColumn } from '../../engines/lineage/lineage.ts'
import type { Caller } from '../../model/caller.ts'
import type { TableUsers } from '../../model/lineage.ts'
import type { Db } from '../../store/db.ts'
import { findCandidates, readItemUsers } from '../../store/lineage/read-users.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { depthMax } from '../saved-queries/input-queries.ts'
import { readReferencesReading } from './reference-lineage.ts'

/** More than anyone reads. */
const referencesMax = 1_000

/** What would break if a table, or one of its columns, went away: the saved queries that read it, those that read these, and so on. */
export async function getTableUsers(
  deps: { db: Db },
  caller: Pick<Caller, 'organizationId'>,
  input: { databaseId: string; schema: string; table: string; column?: string },
): Promise<TableUsers> {
  const { organizationId } = caller
  const { id: databaseId } = await getDatabaseConfig(deps, caller, input.databaseId)
  const table = { schema: input.schema, name: input.table }
  const candidates = await findCandidates(deps.db, { organizationId, databaseId, text: input.table })
  const references: TableUsers['references'] = candidates.flatMap(({ shortId, title, sql, dialect }) => {
    const lineage = readLineage(sql, dialect)
    if (!lineage.tables.some((each) => isTable(each, table)) && lineage.isComplete) return []
    const reads = input.column === undefined ? 'yes' : readsColumn(lineage, table, input.column)
    const isNamed = lineage.tables.some((each) => isTable(each, table))
    return reads === 'no' ? [] : [{ shortId, title, isCertain: reads === 'yes' && isNamed, through: null }]
  })
  await addReaders(deps.db, organizationId, references)
  const items = await readItemUsers(deps.db, { organizationId, shortIds: references.map(({ shortId }) => shortId) })
  return { references, ...items }
}

/** Adds those that read the references in the list. */
async function addReaders(db: Db, organizationId: string, references: TableUsers['references']): Promise<void> {
  const known = new Set(references.map(({ shortId }) => shortId))
  let level = [...references]
  for (let depth = 0; depth < depthMax && level.length > 0 && references.length < referencesMax; depth++) {
    const next: TableUsers['references'] = []
    for (const { shortId, title, isCertain } of level) {
      for (const reader of await readReferencesReading(db, organizationId, shortId)) {
        if (known.has(reader.shortId)) continue
        known.add(reader.shortId)
        next.push({ ...reader, isCertain, through: { shortId, title } })
      }
    }
    references.push(...next)
    level = next
  }
}
