import type { Table } from '../../engines/engine.ts'

/** The table of that name, which may stand alone or after its schema, quoted or not, in letters of either case. */
export function findTable(tables: Table[], named: string): Table | undefined {
  const wanted = named.replaceAll('"', '').toLowerCase()
  return tables.find(
    ({ schema, name }) => name.toLowerCase() === wanted || `${schema}.${name}`.toLowerCase() === wanted,
  )
}
