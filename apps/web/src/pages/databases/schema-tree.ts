import type { Column, Table } from '../../api/databases.ts'

export interface ShownTable {
  table: Table
  /** The columns that matched the search, if the table's name did not. */
  foundColumns: Column[] | null
}

export interface ShownSchema {
  schema: string
  tables: ShownTable[]
}

/** The tables that match a search, by schema. All words must match the table's name, or the same column. */
export function showSchemas(tables: Table[], search: string): ShownSchema[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const shown = tables.flatMap((table): ShownTable[] => {
    if (isFound(`${table.schema}.${table.name}`)) return [{ table, foundColumns: null }]
    const foundColumns = table.columns.filter(({ name, type }) => isFound(`${name} ${type}`))
    return foundColumns.length > 0 ? [{ table, foundColumns }] : []
  })
  const schemas = new Map<string, ShownTable[]>()
  for (const one of shown) {
    const others = schemas.get(one.table.schema)
    if (others) others.push(one)
    else schemas.set(one.table.schema, [one])
  }
  return [...schemas].map(([schema, found]) => ({ schema, tables: found }))
}

/** Enough tables to scroll through, and few enough to render quickly. */
export const shownAtOnce = 200

/** In a large database, only the default schema and schemas with search results or the chosen table start open. */
export function startsOpen(
  { schema, tables }: ShownSchema,
  context: { tableCount: number; defaultSchema: string; search: string; chosen: string | undefined },
): boolean {
  if (context.tableCount <= shownAtOnce || context.search.trim() !== '' || schema === context.defaultSchema) return true
  return tables.some(({ table }) => tableKey(table) === context.chosen)
}

/** Identifies a table in the page's URL. */
export const tableKey = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  schema === 'main' ? name : `${schema}.${name}`
