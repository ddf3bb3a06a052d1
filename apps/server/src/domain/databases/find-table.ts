import type { Table } from '../../engines/engine.ts'

/** Finds a table by name, with or without its schema, quoted or not, ignoring case. */
export function findTable(tables: Table[], named: string): Table | undefined {
  const wanted = named.replaceAll('"', '').toLowerCase()
  return tables.find(
    ({ schema, name }) => name.toLowerCase() === wanted || `${schema}.${name}`.toLowerCase() === wanted,
  )
}
