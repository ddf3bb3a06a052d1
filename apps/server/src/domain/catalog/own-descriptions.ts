import type { Table } from '../../engines/engine.ts'
import type { TableDescriptionContent } from '../../model/knowledge.ts'
import type { Db } from '../../store/db.ts'
import { listDbtTables } from '../../store/knowledge/dbt-tables.ts'
import { listTableDescriptions } from '../../store/knowledge/knowledge-items.ts'
import { withDbt } from './dbt-descriptions.ts'

/** The organization's descriptions of the tables of one database, and those of its dbt projects, by `tableKey`. */
export type OwnDescriptions = ReadonlyMap<string, TableDescriptionContent>

/** Identifies a table within its database. */
export const tableKey = ({ schema, name }: { schema: string; name: string }) => JSON.stringify([schema, name])

export async function readOwnDescriptions(
  deps: { db: Db },
  database: { organizationId: string; id: string },
): Promise<OwnDescriptions> {
  const { organizationId, id: databaseId } = database
  const own = await listTableDescriptions(deps.db, { organizationId, databaseId })
  const descriptions = new Map(own.map((content) => [tableKey({ schema: content.schema, name: content.table }), content]))
  for (const dbt of await listDbtTables(deps.db, { organizationId, databaseIds: [databaseId] })) {
    const key = tableKey({ schema: dbt.schema, name: dbt.table })
    descriptions.set(key, withDbt(descriptions.get(key), dbt)!)
  }
  return descriptions
}

export const withProposed = (descriptions: OwnDescriptions, proposed: TableDescriptionContent): OwnDescriptions =>
  new Map([...descriptions, [tableKey({ schema: proposed.schema, name: proposed.table }), proposed]])

/** The tables with the organization's descriptions in place of the database's comments. */
export function applyOwnDescriptions(tables: Table[], descriptions: OwnDescriptions): Table[] {
  if (descriptions.size === 0) return tables
  return tables.map((table) => {
    const own = descriptions.get(tableKey(table))
    if (!own) return table
    const columns = table.columns.map((column) =>
      Object.hasOwn(own.columns, column.name) ? { ...column, comment: own.columns[column.name]! } : column,
    )
    return { ...table, comment: own.description ?? table.comment, columns }
  })
}
