import type { Column, Table } from '../../api/databases.ts'

export interface ShownTable {
  table: Table
  /** With a search: the columns that were found, where it was they and not the table. */
  foundColumns: Column[] | null
}

export interface ShownSchema {
  schema: string
  tables: ShownTable[]
}

/**
 * Tables by schema, those that a search finds: by their name, or by a column's. All words must be found in the same
 * place.
 */
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

/** More than anybody looks through at once, and few enough to be there at once. */
export const shownAtOnce = 200

/** With thousands of tables only those of the schema that most people mean are shown at first, and those somebody looks for. */
export function isOpenAtFirst(
  { schema, tables }: ShownSchema,
  context: { tableCount: number; defaultSchema: string; search: string; chosen: string | undefined },
): boolean {
  if (context.tableCount <= shownAtOnce || context.search.trim() !== '' || schema === context.defaultSchema) return true
  return tables.some(({ table }) => tableKey(table) === context.chosen)
}

/** How a table is named in the page's address. */
export const tableKey = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  schema === 'main' ? name : `${schema}.${name}`
