import type { CatalogTable } from '../../model/catalog.ts'
import type { Caller } from '../../model/caller.ts'
import type { DbtTable } from '../../model/dbt.ts'
import { knowledgeLimits, type TableDescriptionContent } from '../../model/knowledge.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findCatalogTable, findTables, listTables } from '../../store/catalog/find-tables.ts'
import { writeCatalogTables } from '../../store/catalog/write-catalog.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { listDbtTables } from '../../store/knowledge/dbt-tables.ts'
import { findKnowledgeItem, listKnowledgeItems, lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { withDbt } from '../catalog/dbt-descriptions.ts'
import { askedWords, prefixQueries } from '../catalog/search-words.ts'
import { catalogRowOf } from '../catalog/update-catalog.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { changeKnowledge, type KnowledgeDeps } from './change-knowledge.ts'
import { checkLongText } from './check-knowledge.ts'

/** A table of the catalog with what the organization says about it. */
export interface DescribedTable extends CatalogTable {
  databaseName: string
  own: TableDescriptionContent | null
  dbt: DbtTable | null
  /** Of the organization's own descriptions; 0 if there have never been any. */
  version: number
}

/** What is known about a table: the organization's own description, else that of dbt, else the database's comment. */
export const descriptionOf = ({ own, dbt, comment }: Pick<DescribedTable, 'own' | 'dbt' | 'comment'>) =>
  own?.description ?? dbt?.description ?? comment

export const columnDescriptionOf = (
  { own, dbt }: Pick<DescribedTable, 'own' | 'dbt'>,
  column: { name: string; comment: string | null },
) => describedColumn(own, column.name) ?? describedColumn(dbt, column.name) ?? column.comment

export const describedColumn = (table: { columns: Record<string, string> } | null, name: string): string | null =>
  table && Object.hasOwn(table.columns, name) ? table.columns[name]! : null

/** The tables that match the words best or, without words, the first ones in alphabetical order. */
export async function searchTables(
  deps: { db: Db },
  caller: Caller,
  request: { search?: string | undefined; databaseId?: string | undefined; limit: number },
): Promise<{ items: DescribedTable[]; isComplete: boolean }> {
  const { organizationId } = caller
  const databases = await listDatabases(deps.db, organizationId)
  const chosen = databases.filter(({ id }) => request.databaseId === undefined || id === request.databaseId)
  const within = { organizationId, databaseIds: chosen.map(({ id }) => id), count: request.limit + 1 }
  const text = request.search?.trim() ?? ''
  const words = prefixQueries(organizationId, askedWords(text))
  const tables = text === '' ? await listTables(deps.db, within) : await findTables(deps.db, { ...within, words })
  const items = await withDescriptions(deps.db, { organizationId, databases, tables: tables.slice(0, request.limit) })
  return { items, isComplete: tables.length <= request.limit }
}

export async function withDescriptions(
  db: Db,
  of: { organizationId: string; databases: { id: string; name: string }[]; tables: CatalogTable[] },
): Promise<DescribedTable[]> {
  const { organizationId, tables } = of
  const databaseNames = new Map(of.databases.map(({ id, name }) => [id, name]))
  const subjects = tables.map(({ databaseId, schema, name }) => tableSubject({ databaseId, schema, table: name }))
  const items = await listKnowledgeItems(db, { organizationId, kind: 'table', subjects })
  const bySubject = new Map(items.map((item) => [item.subject, item]))
  const databaseIds = [...new Set(tables.map(({ databaseId }) => databaseId))]
  const dbtTables = await listDbtTables(db, { organizationId, databaseIds, tableNames: tables.map(({ name }) => name) })
  const dbtBySubject = new Map(dbtTables.map((dbt) => [tableSubject(dbt), dbt]))
  return tables.map((table, index) => {
    const item = bySubject.get(subjects[index]!)
    const dbt = dbtBySubject.get(subjects[index]!) ?? null
    const databaseName = databaseNames.get(table.databaseId)!
    return Object.assign(table, { databaseName, own: item?.content ?? null, dbt, version: item?.version ?? 0 })
  })
}

export interface GivenTableDescription extends Omit<TableDescriptionContent, 'kind'> {
  version: number
}

/** Replaces the organization's descriptions of a table and its columns. Without any, the database's comments apply again. */
export async function putTableDescription(
  deps: KnowledgeDeps,
  caller: Caller,
  { version, ...given }: GivenTableDescription,
): Promise<DescribedTable> {
  requireAdmin(caller)
  const { organizationId } = caller
  const database = await getDatabaseConfig(deps, caller, given.databaseId)
  const content = checkTableDescription({ kind: 'table', ...given })
  const table = await getCatalogTable(deps.db, caller, content)
  refuseStrayColumns(content, table)
  const item = await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    return changeTableDescription({ ...deps, tx }, caller, { content, basedOn: version })
  })
  const dbt = await findDbtTable(deps.db, caller, content)
  return { ...table, databaseName: database.name, own: item.content as TableDescriptionContent, dbt: dbt ?? null, version: item.version }
}

export function refuseStrayColumns(content: TableDescriptionContent, table: CatalogTable): void {
  const stray = Object.keys(content.columns).find((name) => !table.columns.some((column) => column.name === name))
  if (stray !== undefined) throw badInput(`/columns/${stray}`, 'is not a column of this table')
}

/** Also updates the words by which the table is found. */
export async function changeTableDescription(
  deps: Omit<KnowledgeDeps, 'db'> & { tx: Tx },
  caller: Caller,
  change: { content: TableDescriptionContent; basedOn?: number; restoredNumber?: number },
) {
  const { content } = change
  const { organizationId } = caller
  const item = await changeKnowledge(deps, caller, { kind: 'table', subject: tableSubject(content), ...change })
  const table = await findCatalogTable(deps.tx, { organizationId, ...content })
  if (table) {
    const key = { organizationId, databaseId: content.databaseId }
    const described = withDbt(content, await findDbtTable(deps.tx, caller, content))
    await writeCatalogTables(deps.tx, key, [catalogRowOf(organizationId, table, described)])
  }
  return item
}

async function findDbtTable(db: Db | Tx, { organizationId }: Caller, of: { databaseId: string; schema: string; table: string }) {
  const named = await listDbtTables(db, { organizationId, databaseIds: [of.databaseId], tableNames: [of.table] })
  return named.find(({ schema }) => schema === of.schema)
}

/** The organization's own descriptions of a table, under the lock of the knowledge. */
export async function readTableDescription(
  tx: Tx,
  caller: Caller,
  table: { databaseId: string; schema: string; table: string },
): Promise<TableDescriptionContent> {
  const key = { organizationId: caller.organizationId, kind: 'table', subject: tableSubject(table) } as const
  const item = await findKnowledgeItem(tx, key)
  return item?.content ?? { kind: 'table', ...table, description: null, columns: {} }
}

export async function getCatalogTable(
  db: Db,
  caller: Caller,
  { databaseId, schema, table }: { databaseId: string; schema: string; table: string },
): Promise<CatalogTable> {
  const found = await findCatalogTable(db, { organizationId: caller.organizationId, databaseId, schema, table })
  if (found) return found
  throw new Refusal('table_not_found', `There is no table ${JSON.stringify(`${schema}.${table}`)} in this database.`)
}

export function checkTableDescription(content: TableDescriptionContent): TableDescriptionContent {
  const { descriptionCharacters: maxCharacters, describedColumns } = knowledgeLimits
  const given = Object.entries(content.columns)
  if (given.length > describedColumns) throw badInput('/columns', `must be at most ${describedColumns}`)
  const columns = given
    .map(([name, text]) => [name, checkLongText({ path: `/columns/${name}`, text, maxCharacters })] as const)
    .filter(([, text]) => text !== '')
  const description = checkLongText({ path: '/description', text: content.description ?? '', maxCharacters }) || null
  return { ...content, description, columns: Object.fromEntries(columns) }
}

export const tableSubject = (of: { databaseId: string; schema: string; table: string }) =>
  JSON.stringify([of.databaseId, of.schema, of.table])
