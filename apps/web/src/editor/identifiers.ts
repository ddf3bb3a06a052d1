import { definitionOf, embeddedEngine } from '@querypost/server/engine-definitions'
import type { Table } from '../api/databases.ts'
import type { Dialect } from './sql-editor-props.ts'

/** Quotes a name if SQL would otherwise read it as something else. */
export function quoteName(name: string, dialect: Dialect = embeddedEngine): string {
  // Saved queries are listed as tables by the call that reads them.
  if (/^ref\('\w{10}'\)$/.test(name)) return name
  const { editor, syntax } = definitionOf(dialect)
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) && !editor.reserved?.split(' ').includes(name)) return name
  const { quote, hasBackslashes } = syntax.names
  const escaped = hasBackslashes ? name.replaceAll('\\', '\\\\') : name
  return `${quote}${escaped.replaceAll(quote, syntax.quoteEscape === 'backslash' ? `\\${quote}` : quote + quote)}${quote}`
}

/** Adds the schema unless it is the default one. */
export function quoteTable(
  table: Pick<Table, 'schema' | 'name'>,
  { dialect = embeddedEngine, defaultSchema }: { dialect?: Dialect; defaultSchema: string },
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
