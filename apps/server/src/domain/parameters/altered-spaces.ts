import { Refusal } from '../refusal.ts'
import { definitionOf } from '../../engines/registry/definitions.ts'
import type { Segment } from '../../engines/sql/lex.ts'
import type { Dialect } from '../../model/database.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Placeholder } from './placeholder.ts'

/**
 * Before parsing, DuckDB replaces no-break and other special spaces outside of quotes with plain ones. It finds quotes with a
 * simpler scanner that does not know block comments or `\'`, so after `/* don't *\/` it mistakes strings for bare SQL and changes
 * their spaces. A value cannot escape its literal this way, but it would be altered. So if the scanner can be misled, a value with
 * such a space is rejected.
 */
export function checkSpacesSurvive(options: {
  sql: string
  dialect: Dialect
  parts: readonly { segment: Segment; placeholders: readonly Placeholder[] }[]
  values: ParameterValues
}): void {
  const { sql, dialect, parts, values } = options
  const { name: database, syntax } = definitionOf(dialect)
  const { alteredSpaces } = syntax
  if (!alteredSpaces) return
  const name = parts
    .flatMap(({ placeholders }) => placeholders.map((placeholder) => placeholder.name))
    .find((name) => alteredSpaces.test(String(values[name])))
  if (name === undefined || !parts.some(({ segment }) => misleads(sql, segment))) return
  throw new Refusal(
    'parameter_invalid',
    `The value of the parameter "${name}" has a special space (such as a no-break space), which ${database} would change because ` +
      "of a quote or dollar sign in a comment, a \\' or a dollar quote in this SQL. Use a plain space, or remove those from the SQL.",
  )
}

function misleads(sql: string, { start, end, position }: Segment): boolean {
  const text = sql.slice(start, end)
  switch (position.kind) {
    case 'bare':
      return text.includes('$')
    case 'comment':
      return text.startsWith('/*') && /['"$]|--/.test(text)
    case 'string':
      return position.backslash && text.includes("\\'")
    case 'dollar':
      return true
    default:
      return false
  }
}
