import { formatDialect } from 'sql-formatter'
import { formatters } from '../api/generated/formatters.ts'
import type { Dialect } from './sql-editor-props.ts'

/**
 * Formats SQL for its dialect and leaves `{{parameters}}` as they are. Throws if the formatter cannot read the SQL. Import it on
 * demand: the formatter is as large as the rest of the editor.
 */
export function formatSql(sql: string, dialect: Dialect): string {
  return formatDialect(sql, {
    dialect: formatters[dialect],
    keywordCase: 'preserve',
    tabWidth: 2,
    paramTypes: { custom: [{ regex: String.raw`\{\{\s*\w+\s*\}\}` }] },
  })
}
