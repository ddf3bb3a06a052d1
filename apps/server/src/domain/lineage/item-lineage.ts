import { type Lineage, readLineage } from '../../engines/lineage/lineage.ts'
import type { Caller } from '../../model/caller.ts'
import type { ItemLineage, LineageTable } from '../../model/lineage.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import { findCatalogTablesByName } from '../../store/catalog/find-tables.ts'
import type { Db } from '../../store/db.ts'
import { getAutomation } from '../automations/automations.ts'
import { getBoard, shortIdsOf } from '../boards/boards.ts'
import { depthMax, inputsOf } from '../saved-queries/input-queries.ts'
import { lineageTable, linkOf } from './reference-lineage.ts'
import { mergeTables } from './merge-tables.ts'

/** What the tiles of a board read. */
export async function getBoardLineage(deps: { db: Db }, caller: Caller, shortId: string): Promise<ItemLineage> {
  const { tiles } = await getBoard(deps, caller, shortId)
  return readItemLineage(deps.db, caller, shortIdsOf(tiles))
}

/** What an automation looks at, and what its condition watches. */
export async function getAutomationLineage(deps: { db: Db }, caller: Caller, automationId: string): Promise<ItemLineage> {
  const { references, condition } = await getAutomation(deps, caller, automationId)
  return readItemLineage(deps.db, caller, condition ? [...references, condition.reference] : references)
}

async function readItemLineage(db: Db, { organizationId }: Caller, shortIds: string[]): Promise<ItemLineage> {
  const read = await readLevels(db, organizationId, shortIds)
  const queries = [...read.values()].flatMap(({ query }) => readQuery(query))
  const tables: LineageTable[] = []
  for (const [databaseId, ofDatabase] of groupByDatabase(queries)) {
    const names = ofDatabase.flatMap(({ lineage }) => lineage.tables.map(({ name }) => name))
    const known = await findCatalogTablesByName(db, { organizationId, databaseId, names })
    for (const { lineage } of ofDatabase) tables.push(...lineage.tables.map((table) => lineageTable(table, lineage, { databaseId, known })))
  }
  return {
    references: [...read.values()].map(({ query: { shortId, title }, through }) => ({ shortId, title, through: through && linkOf(through) })),
    tables: mergeTables(tables),
    isComplete: queries.every(({ lineage }) => lineage.isComplete),
  }
}

interface Read {
  query: TileQuery
  through: TileQuery | null
}

/** The saved queries, then those that they read with `ref(…)`, and so on. Each appears once, where it is first reached. */
async function readLevels(db: Db, organizationId: string, shortIds: string[]): Promise<Map<string, Read>> {
  const read = new Map<string, Read>()
  let level = new Map<string, TileQuery | null>(shortIds.map((shortId) => [shortId, null]))
  for (let depth = 0; level.size > 0 && depth <= depthMax; depth++) {
    const found = await readTileQueries(db, { organizationId, shortIds: [...level.keys()] })
    const next = new Map<string, TileQuery | null>()
    for (const [shortId, through] of level) {
      const query = found.get(shortId)
      if (!query) continue
      read.set(shortId, { query, through })
      for (const input of inputsOf(query)) if (!read.has(input) && !level.has(input) && !next.has(input)) next.set(input, query)
    }
    level = next
  }
  return read
}

interface QueryLineage {
  databaseId: string
  lineage: Lineage
}

function readQuery({ query, analyticalDatabaseConfigId: databaseId }: TileQuery): QueryLineage[] {
  return query && databaseId !== null ? [{ databaseId, lineage: readLineage(query.sql, query.dialect) }] : []
}

function groupByDatabase(queries: QueryLineage[]): Map<string, QueryLineage[]> {
  const groups = new Map<string, QueryLineage[]>()
  for (const each of queries) groups.set(each.databaseId, [...(groups.get(each.databaseId) ?? []), each])
  return groups
}
