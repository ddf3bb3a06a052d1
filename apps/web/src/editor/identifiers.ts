import type { Table } from '../api/databases.ts'

/** A name as SQL takes it: quoted where it would otherwise be read as something else. */
export function quoteName(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name)) return name
  return `"${name.replaceAll('"', '""')}"`
}

/** With its schema where that is not the one that goes without saying. */
export function quoteTable(table: Pick<Table, 'schema' | 'name'>, defaultSchema: string): string {
  const name = quoteName(table.name)
  return table.schema === defaultSchema ? name : `${quoteName(table.schema)}.${name}`
}

/** Those that people do give to columns and tables, and that no engine here takes without quotes. */
const reserved = new Set(
  ('all analyse analyze and any array as asc both case cast check collate column constraint create default desc distinct do ' +
    'else end except false fetch for foreign from grant group having in initially intersect into lateral leading limit not null ' +
    'offset on only or order pivot placing primary qualify references returning select show some summarize symmetric table then ' +
    'to trailing true union unique unpivot user using variadic when where window with').split(' '),
)
