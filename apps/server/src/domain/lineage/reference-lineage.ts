import { isTable, type Lineage, readLineage, type ReadTable } from '../../engines/lineage/lineage.ts'
import type { Caller } from '../../model/caller.ts'
import type { CatalogTable } from '../../model/catalog.ts'
import type { LineageTable, LinkedReference, ReferenceLineage, Users } from '../../model/lineage.ts'
import { readTileQueries } from '../../store/boards/read-tile-queries.ts'
import { findCatalogTablesByName } from '../../store/catalog/find-tables.ts'
import type { Db } from '../../store/db.ts'
import { findCandidates, readItemUsers } from '../../store/lineage/read-users.ts'
import type { FindReference } from '../../store/references/references-table.ts'
import { getReference } from '../references/references.ts'

export interface LineageDeps {
  db: Db
  findReference: FindReference
}

/** What a reference reads, and what uses it. */
export async function getReferenceLineage(deps: LineageDeps, caller: Pick<Caller, 'organizationId'>, shortId: string): Promise<ReferenceLineage> {
  const { organizationId } = caller
  await getReference(deps, caller, shortId)
  const reference = (await readTileQueries(deps.db, { organizationId, shortIds: [shortId] })).get(shortId)
  const usedBy = await readUsers(deps, organizationId, shortId)
  const databaseId = reference?.analyticalDatabaseConfigId
  if (!reference?.query || !databaseId) return { tables: [], references: [], isComplete: true, usedBy }
  const lineage = readLineage(reference.query.sql, reference.query.dialect)
  const names = lineage.tables.map(({ name }) => name)
  const known = await findCatalogTablesByName(deps.db, { organizationId, databaseId, names })
  const read = await readTileQueries(deps.db, { organizationId, shortIds: reference.query.readsSavedQueries ? lineage.references : [] })
  return {
    tables: lineage.tables.map((table) => lineageTable(table, lineage, { databaseId, known })),
    references: [...read.values()].map(linkOf),
    isComplete: lineage.isComplete,
    usedBy,
  }
}

/** With the columns that the catalog knows; without a catalog, with those that certainly belong to the table. */
export function lineageTable(table: ReadTable, lineage: Lineage, { databaseId, known }: { databaseId: string; known: CatalogTable[] }): LineageTable {
  const { readsAllColumns } = table
  const found = known.filter((each) => isTable(table, each))
  // The same name in two schemas: the SQL does not say which one it is.
  const [only] = found.length === 1 ? found : []
  const isRead = (column: string) => readsAllColumns || table.columns.includes(column) || lineage.looseColumns.includes(column)
  const isOnly = lineage.tables.length === 1 && lineage.references.length === 0
  const columns = only
    ? only.columns.map(({ name }) => name).filter((name) => isRead(name.toLowerCase()))
    : [...table.columns, ...(isOnly && lineage.isComplete ? lineage.looseColumns : [])]
  return { analyticalDatabaseConfigId: databaseId, schema: only?.schema ?? table.schema, name: only?.name ?? table.name, columns, readsAllColumns }
}

export async function readUsers({ db }: Pick<LineageDeps, 'db'>, organizationId: string, shortId: string): Promise<Users> {
  const [references, items] = await Promise.all([
    readReferencesReading(db, organizationId, shortId),
    readItemUsers(db, { organizationId, shortIds: [shortId] }),
  ])
  return { references, ...items }
}

/** The references that read one with `ref(…)`. */
export async function readReferencesReading(db: Db, organizationId: string, shortId: string): Promise<LinkedReference[]> {
  const candidates = await findCandidates(db, { organizationId, text: shortId, databaseId: undefined })
  return candidates.filter(({ sql, dialect }) => readLineage(sql, dialect).references.includes(shortId)).map(linkOf)
}

export const linkOf = ({ shortId, title }: LinkedReference): LinkedReference => ({ shortId, title })
