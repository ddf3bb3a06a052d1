import type { Table } from '../api/databases.ts'
import type { Dialect } from './sql-editor-props.ts'

/** Quotes a name if SQL would otherwise read it as something else. */
export function quoteName(name: string, dialect: Dialect = 'duckdb'): string {
  // Saved queries are listed as tables by the call that reads them.
  if (/^ref\('\w{10}'\)$/.test(name)) return name
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) && !(dialect === 'mysql' && reservedByMysql.has(name))) return name
  if (dialect === 'mysql') return `\`${name.replaceAll('`', '``')}\``
  if (dialect === 'clickhouse') return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
  return `"${name.replaceAll('"', '""')}"`
}

/** Adds the schema unless it is the default one. */
export function quoteTable(
  table: Pick<Table, 'schema' | 'name'>,
  { dialect = 'duckdb', defaultSchema }: { dialect?: Dialect; defaultSchema: string },
): string {
  const name = quoteName(table.name, dialect)
  return table.schema === defaultSchema ? name : `${quoteName(table.schema, dialect)}.${name}`
}

/** Reserved in most of the supported engines, and likely to be used as names of columns and tables. */
const reserved = new Set(
  ('all analyse analyze and any array as asc both case cast check collate column constraint create default desc describe distinct ' +
    'do else end except false fetch for foreign from grant group having in initially intersect into lambda lateral leading limit ' +
    'not null offset on only or order pivot placing primary qualify references returning select show some summarize symmetric ' +
    'table then to trailing true union unique unpivot user using variadic when where window with').split(' '),
)

const reservedByMysql = new Set(
  ('accessible add alter between bigint binary blob by call cascade change char character condition convert cross cube database ' +
    'databases dec decimal delete div double drop each elseif empty exists exit explain float force function generated get groups ' +
    'grouping if ignore index inner insert int integer interval is join key keys kill lag lead left like lines load lock long loop ' +
    'match mod natural numeric of optimize option out outer over partition precision procedure purge range rank read real recursive ' +
    'regexp release rename repeat replace require restrict return revoke right row row_number rows schema schemas separator set ' +
    'signal smallint spatial sql ssl starting stored system terminated trigger undo unlock unsigned update usage use values varchar ' +
    'varying virtual while write xor zerofill').split(' '),
)
