import { createHash } from 'node:crypto'
import type { Table } from '../../engines/engine.ts'
import { catalogLimits, type CatalogRow, type CatalogTable } from '../../model/catalog.ts'
import type { TableDescriptionContent } from '../../model/knowledge.ts'
import {
  readCatalogHashes,
  recordCatalogRefresh,
  removeCatalogTables,
  writeCatalogTables,
} from '../../store/catalog/write-catalog.ts'
import type { Db } from '../../store/db.ts'
import { type OwnDescriptions, tableKey } from './own-descriptions.ts'
import { weightedWords } from './search-words.ts'

/** Tables per statement: each holds its locks, or the embedded store's only connection, for a few milliseconds. */
const batchSize = 100

/** Makes the catalog of a database equal to its tables. Only tables that have changed are written. */
export async function updateCatalog(
  deps: { db: Db },
  database: { organizationId: string; id: string },
  tables: Table[],
  descriptions: OwnDescriptions,
): Promise<void> {
  const key = { organizationId: database.organizationId, databaseId: database.id }
  if (!(await recordCatalogRefresh(deps.db, key))) return
  const hashes = await readCatalogHashes(deps.db, key)
  const kept = tables.slice(0, catalogLimits.tables)
  const changed: CatalogRow[] = []
  for (const table of kept) {
    const name = tableKey(table)
    const row = catalogRowOf(key.organizationId, catalogTableOf(key.databaseId, table), descriptions.get(name))
    if (hashes.get(name) !== row.hash) changed.push(row)
    hashes.delete(name)
  }
  for (const batch of batches(changed)) await writeCatalogTables(deps.db, key, batch)
  const gone = [...hashes.keys()].map((name) => {
    const [schema, table] = JSON.parse(name) as [string, string]
    return { schema, name: table }
  })
  for (const batch of batches(gone)) await removeCatalogTables(deps.db, key, batch)
}

function catalogTableOf(databaseId: string, table: Table): CatalogTable {
  const { schema, name, kind, rowEstimate, comment, columns } = table
  return {
    databaseId,
    schema,
    name,
    kind,
    rowEstimate,
    comment,
    columns: columns
      .slice(0, catalogLimits.columns)
      .map((column) => ({ name: column.name, type: column.type, comment: column.comment })),
    columnCount: columns.length,
  }
}

/** The table with the words of its names, its comments and the organization's own descriptions. */
export function catalogRowOf(
  organizationId: string,
  table: CatalogTable,
  own: TableDescriptionContent | null | undefined,
): CatalogRow {
  const { schema, name, comment, columns } = table
  const words = weightedWords(organizationId, {
    A: name,
    B: [comment, own?.description].join(' '),
    C: columns.map((column) => column.name).join(' '),
    D: [schema, ...columns.map((column) => column.comment), ...Object.values(own?.columns ?? {})].join(' '),
  })
  // Estimates change all the time; only their order of magnitude matters.
  const magnitude = table.rowEstimate === null ? null : Math.round(Math.log2(table.rowEstimate + 1))
  const hash = createHash('sha256')
    .update(JSON.stringify([{ ...table, rowEstimate: magnitude }, words]))
    .digest('base64')
  return { ...table, hash, words }
}

function* batches<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize)
}
