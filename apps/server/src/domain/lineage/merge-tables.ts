import type { LineageTable } from '../../model/lineage.ts'

/** Each table once, with the columns that any of the queries reads, by name. */
export function mergeTables(tables: readonly LineageTable[]): LineageTable[] {
  const merged = new Map<string, LineageTable>()
  for (const table of tables) {
    const key = JSON.stringify([table.analyticalDatabaseConfigId, table.schema?.toLowerCase() ?? null, table.name.toLowerCase()])
    const known = merged.get(key)
    merged.set(key, known ? { ...known, ...mergeColumns(known, table) } : table)
  }
  return [...merged.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const mergeColumns = (a: LineageTable, b: LineageTable) => ({
  columns: [...new Set([...a.columns, ...b.columns])],
  readsAllColumns: a.readsAllColumns || b.readsAllColumns,
})

const nameOf = ({ schema, name }: LineageTable) => `${schema ?? ''}.${name}`
