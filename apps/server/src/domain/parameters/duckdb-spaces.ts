import { Refusal } from '../refusal.ts'
import { duckdbSpaces } from '../../engines/sql/lexical-rules.ts'
import type { Segment } from '../../engines/sql/lex.ts'
import type { EffectiveParameter } from './place.ts'
import type { Placeholder } from './placeholder.ts'

/**
 * Before it parses, DuckDB turns no-break and other special spaces outside of quotes into plain ones. It finds the
 * quotes with a simpler reader that knows neither block comments nor `\'`, so after `/* don't *\/` it takes strings for
 * bare SQL and changes the spaces in them. A value cannot get out that way, but it would not arrive as it was given:
 * so where that reader can go wrong, a value with such a space is refused.
 */
export function checkSpacesSurvive(options: {
  sql: string
  parts: readonly { segment: Segment; placeholders: readonly Placeholder[] }[]
  parameters: ReadonlyMap<string, EffectiveParameter>
}): void {
  const { sql, parts, parameters } = options
  const name = parts
    .flatMap(({ placeholders }) => placeholders.map((placeholder) => placeholder.name))
    .find((name) => duckdbSpaces.test(String(parameters.get(name)?.value)))
  if (name === undefined || !parts.some(({ segment }) => misleads(sql, segment))) return
  throw new Refusal(
    'parameter_invalid',
    `The value of the parameter "${name}" has a special space (such as a no-break space), which DuckDB would change because ` +
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
