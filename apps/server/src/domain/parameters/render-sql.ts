import type { Dialect } from '../../model/database.ts'
import { Refusal } from '../refusal.ts'
import { checkValue } from './check-value.ts'
import { checkSpacesSurvive } from './duckdb-spaces.ts'
import { lex } from '../../engines/sql/lex.ts'
import type { ParameterDefinition, ParameterType, ParameterValue, ParameterValues } from '../../model/parameter.ts'
import { readPlaceholders } from './placeholder.ts'
import { bareNeighbors } from './neighbors.ts'
import { placeBare, placeInside, type EffectiveParameter } from './place.ts'

/** Longer SQL is rejected, so that many placeholders with a long value cannot exhaust memory. */
export const renderedSqlMaxLength = 16 * 1024 * 1024

export interface RenderedSql {
  /** The exact text to execute. */
  renderedSql: string
  /** The value of every placeholder that occurs, including defaults, in canonical form. */
  parameterValues: ParameterValues
  parameterTypes: Record<string, ParameterType>
}

/**
 * Replaces the placeholders of `sql` with values, each in the form its position requires.
 *
 * The text is read once and written once: a value is never scanned for placeholders again. The result is then read as SQL again,
 * and rejected unless every literal, identifier and comment of the query still starts and ends where it should. Escaping is what
 * keeps a value inside its literal. The check protects positions where nothing can be escaped (a dollar quote whose tag is formed
 * by the value and the text around it), and catches our own mistakes elsewhere.
 */
export function renderSql(options: {
  sql: string
  dialect: Dialect
  definitions: readonly ParameterDefinition[]
  values: ParameterValues
}): RenderedSql {
  const { sql, dialect, definitions, values } = options
  const parts = readPlaceholders(sql, dialect)
  const names = new Set(parts.flatMap(({ placeholders }) => placeholders.map(({ name }) => name)))
  if (names.size > 0 && sql.includes('\0')) {
    // Some databases end the text, or a comment in it, at a NUL.
    throw new Refusal('parameter_invalid', 'The SQL contains a NUL character, so it cannot have parameters. Remove the character.')
  }
  const parameters = effectiveParameters({ names, definitions, values })
  const neighbors = bareNeighbors({ sql, dialect, parts })

  const rendered: string[] = []
  const expected: string[] = []
  let length = 0
  function write(text: string): void {
    rendered.push(text)
    length += text.length
    if (length > renderedSqlMaxLength) {
      throw new Refusal(
        'parameter_invalid',
        `With these values, the SQL is longer than ${renderedSqlMaxLength} characters. Use shorter values.`,
      )
    }
  }
  const mark = (kind: string, start: number) => {
    if (kind !== 'bare' || expected.at(-1)?.startsWith('bare') !== true) expected.push(`${kind} ${start}`)
  }

  for (const { segment, placeholders } of parts) {
    const isBare = segment.position.kind === 'bare'
    let at = segment.start
    if (!isBare) mark(segment.position.kind, length)
    for (const placeholder of placeholders) {
      const parameter = parameters.get(placeholder.name)!
      if (isBare) {
        if (placeholder.start > at) mark('bare', length)
        write(sql.slice(at, placeholder.start))
        const literal = placeBare({ parameter, dialect, neighbors: neighbors.get(placeholder)! })
        for (const inner of lex(literal, dialect)) mark(inner.position.kind, length + inner.start)
        write(literal)
      } else {
        write(sql.slice(at, placeholder.start))
        const before = sql.slice(at, placeholder.start)
        write(placeInside({ parameter, dialect, position: segment.position, before }))
      }
      at = placeholder.end
    }
    if (isBare && segment.end > at) mark('bare', length)
    write(sql.slice(at, segment.end))
  }

  const renderedSql = rendered.join('')
  if (names.size > 0) {
    if (dialect === 'duckdb') checkSpacesSurvive({ sql, parts, parameters })
    checkStructure({ renderedSql, dialect, expected })
  }
  const used = [...names].map((name) => parameters.get(name)!)
  return {
    renderedSql,
    parameterValues: Object.fromEntries(used.map(({ name, value }) => [name, value])),
    parameterTypes: Object.fromEntries(used.map(({ name, type }) => [name, type])),
  }
}

function checkStructure(options: { renderedSql: string; dialect: Dialect; expected: string[] }): void {
  const actual = lex(options.renderedSql, options.dialect)
  const isSame =
    actual.length === options.expected.length &&
    actual.every(({ position, start }, index) => `${position.kind} ${start}` === options.expected[index])
  if (isSame) return
  throw new Refusal(
    'parameter_invalid',
    'These values would change the structure of the SQL: a value would extend beyond the ' +
      'string, identifier or comment around it. Change the value, or put the placeholder into a plain string.',
  )
}

function effectiveParameters(options: {
  names: ReadonlySet<string>
  definitions: readonly ParameterDefinition[]
  values: ParameterValues
}): Map<string, EffectiveParameter> {
  const { names, values } = options
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]))
  for (const name of Object.keys(values)) {
    if (names.has(name) || definitions.has(name)) continue
    throw new Refusal(
      'parameter_invalid',
      `There is no parameter "${name}": the SQL has no placeholder {{${name}}} and no definition names it. Leave the value out or correct its name.`,
    )
  }
  const parameters = new Map<string, EffectiveParameter>()
  for (const name of new Set([...names, ...definitions.keys()])) {
    const definition = definitions.get(name)
    const type = definition?.type ?? 'text'
    const given = givenValue({ name, definition, values })
    if (given !== undefined) parameters.set(name, { name, type, value: checkValue({ name, type }, given) })
    else if (names.has(name)) {
      throw new Refusal('parameter_missing', `The parameter "${name}" has no value and no default. Give it a value.`)
    }
  }
  return parameters
}

function givenValue(options: {
  name: string
  definition: ParameterDefinition | undefined
  values: ParameterValues
}): ParameterValue | undefined {
  const { name, definition, values } = options
  if (Object.hasOwn(values, name) && values[name] !== undefined) return values[name]
  if (definition === undefined) return undefined
  return definition.type === 'text' || definition.defaultValue !== '' ? definition.defaultValue : undefined
}
