import type { Table } from '../../api/databases.ts'

/** Words that DuckDB keeps for itself: a table of such a name is written in quotes. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
   deferrable desc describe distinct do else end except false fetch for foreign from group having in initially
   intersect into lambda lateral leading limit not null offset on only or order pivot placing primary qualify
   references returning select show some summarize symmetric table then to trailing true union unique unpivot using
   variadic when where window with`.split(/\s+/),
)

const quoted = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`

/** A table as it is written in a query. */
export const sqlName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  schema === 'main' ? quoted(name) : `${quoted(schema)}.${quoted(name)}`

/** The query that somebody begins with. */
export const firstQuery = (table: Pick<Table, 'schema' | 'name'>) => `select *\nfrom ${sqlName(table)}\nlimit 100`
