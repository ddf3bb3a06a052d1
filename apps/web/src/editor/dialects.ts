import { SQLDialect } from '@codemirror/lang-sql'
import { definitionOf } from '@querypost/server/engine-definitions'
import type { Dialect } from './sql-editor-props.ts'

const made = new Map<Dialect, SQLDialect>()

/** The dialect as the editor highlights and completes it. */
export function editorDialect(dialect: Dialect): SQLDialect {
  const known = made.get(dialect)
  if (known) return known
  const { reserved: _, formatter: __, ...spec } = definitionOf(dialect).editor
  const defined = SQLDialect.define(spec)
  made.set(dialect, defined)
  return defined
}
