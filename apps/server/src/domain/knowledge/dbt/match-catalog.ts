import type { CatalogTable } from '../../../model/catalog.ts'
import type { DbtTable } from '../../../model/dbt.ts'

/**
 * Tables and columns under the names that the database has for them. dbt writes names as people wrote them, and databases such as
 * Snowflake store them in capitals. Tables that the database doesn't have keep their names: they may be built later.
 */
export function matchCatalog(tables: DbtTable[], catalog: CatalogTable[]): { tables: DbtTable[]; foundCount: number } {
  const exact = new Map(catalog.map((table) => [JSON.stringify([table.schema, table.name]), table]))
  const lowered = new Map(catalog.map((table) => [loweredKey(table.schema, table.name), table]))
  const matched = new Map<string, DbtTable>()
  let foundCount = 0
  for (const table of tables) {
    const found = exact.get(JSON.stringify([table.schema, table.table])) ?? lowered.get(loweredKey(table.schema, table.table))
    if (found) foundCount++
    const named = found ? { ...table, schema: found.schema, table: found.name, columns: matchColumns(table.columns, found) } : table
    // Two models with the same relation: the later one.
    matched.set(JSON.stringify([named.schema, named.table]), named)
  }
  return { tables: [...matched.values()], foundCount }
}

const loweredKey = (schema: string, name: string) => JSON.stringify([schema.toLowerCase(), name.toLowerCase()])

function matchColumns(columns: Record<string, string>, { columns: existing }: CatalogTable): Record<string, string> {
  const names = new Map(existing.map(({ name }) => [name.toLowerCase(), name]))
  const isExact = new Set(existing.map(({ name }) => name))
  const entries = Object.entries(columns).map(([name, text]) => [isExact.has(name) ? name : (names.get(name.toLowerCase()) ?? name), text])
  return Object.fromEntries(entries) as Record<string, string>
}
