import type { Dialect } from '../../model/database.ts'
import { Refusal } from '../refusal.ts'
import { checkValue } from './check-value.ts'
import { checkSpacesSurvive } from './altered-spaces.ts'
import { syntaxOf } from '../../engines/registry/definitions.ts'
import { lex } from '../../engines/sql/lex.ts'
import type { ParameterDefinition, ParameterType, ParameterValue, ParameterValues } from '../../model/parameter.ts'
import { defaultOf } from './default-value.ts'
import { dayOf, type DateRange, resolveDateRange } from './date-range.ts'
import { type Placeholder, readPlaceholders } from './placeholder.ts'
import { bareNeighbors } from './neighbors.ts'
import { type PlacedValue, placeBare, placeInside, refuse } from './place.ts'

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
  /** Relative date ranges are relative to this moment's day in UTC. */
  now: Date
}): RenderedSql {
  const { sql, dialect, definitions, values, now } = options
  const parts = placeholdersToRender({ sql, dialect, definitions })
  const placeholders = parts.flatMap((part) => part.placeholders)
  const names = new Set(placeholders.map(({ name }) => name))
  if (names.size > 0 && sql.includes('\0')) {
    // Some databases end the text, or a comment in it, at a NUL.
    throw new Refusal('parameter_invalid', 'The SQL contains a NUL character, so it cannot have parameters. Remove the character.')
  }
  const parameters = effectiveParameters({ placeholders, definitions, values, today: dayOf(now) })
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
      const parameter = placedValue(parameters.get(placeholder.name)!, placeholder)
      if (isBare) {
        if (placeholder.start > at) mark('bare', length)
        write(sql.slice(at, placeholder.start))
        const literal = placeBare({ parameter, dialect, neighbors: neighbors.get(placeholder)! })
        for (const inner of lex(literal, syntaxOf(dialect).lexicalRules)) mark(inner.position.kind, length + inner.start)
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
  const used = [...names].map((name) => parameters.get(name)!)
  const parameterValues = Object.fromEntries(used.map(({ name, value }) => [name, value]))
  if (names.size > 0) {
    checkSpacesSurvive({ sql, dialect, parts, values: parameterValues })
    checkStructure({ renderedSql, dialect, expected })
  }
  return {
    renderedSql,
    parameterValues,
    parameterTypes: Object.fromEntries(used.map(({ name, type }) => [name, type])),
  }
}

function checkStructure(options: { renderedSql: string; dialect: Dialect; expected: string[] }): void {
  const actual = lex(options.renderedSql, syntaxOf(options.dialect).lexicalRules)
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

/**
 * The placeholders that are replaced. In quotes, `{{name.start}}` counts only if `name` is defined as a date range: without a
 * definition it is ordinary text, as it was before there were date ranges.
 */
function placeholdersToRender(options: { sql: string; dialect: Dialect; definitions: readonly ParameterDefinition[] }) {
  const { sql, dialect, definitions } = options
  const ranges = new Set(definitions.flatMap(({ name, type }) => (type === 'dateRange' ? [name] : [])))
  return readPlaceholders(sql, dialect).map(({ segment, placeholders }) => ({
    segment,
    placeholders: placeholders.filter(
      ({ name, part }) => part === undefined || segment.position.kind === 'bare' || ranges.has(name),
    ),
  }))
}

interface EffectiveParameter {
  name: string
  type: ParameterType
  value: ParameterValue
  /** The days of a date range. */
  range?: DateRange
}

function placedValue({ name, type, value, range }: EffectiveParameter, { part }: Placeholder): PlacedValue {
  if (type !== 'dateRange') {
    if (part === undefined) return { name, type, value }
    return refuse(name, `it is not a date range, so it has no ${part}. Use {{${name}}}, or change its type to dateRange.`)
  }
  if (part === undefined) refuse(name, `it is a date range. Use its days: {{${name}.start}} and {{${name}.end}}.`)
  return { name, type: 'date', value: range![part] }
}

function effectiveParameters(options: {
  placeholders: readonly Placeholder[]
  definitions: readonly ParameterDefinition[]
  values: ParameterValues
  today: string
}): Map<string, EffectiveParameter> {
  const { placeholders, values, today } = options
  const names = new Set(placeholders.map(({ name }) => name))
  const rangeNames = new Set(placeholders.flatMap(({ name, part }) => (part === undefined ? [] : [name])))
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
    const type = definition?.type ?? (rangeNames.has(name) ? 'dateRange' : 'text')
    const { isList = false } = definition ?? {}
    const given = givenValue({ name, definition, values })
    if (given !== undefined) {
      if (Array.isArray(given) && !isList) throw notAList(name)
      const value = checkValue({ name, type, isList }, given)
      parameters.set(name, { name, type, value, ...(type === 'dateRange' && { range: daysOf(name, String(value), today) }) })
    } else if (names.has(name)) {
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
  return definition && defaultOf(definition)
}

function daysOf(name: string, value: string, today: string): DateRange {
  return resolveDateRange(value, today) ?? refuse(name, 'its days are not in the years 0001 to 9999.')
}

function notAList(name: string): Refusal {
  const message = `The parameter "${name}" takes a single value, not a list.`
  return new Refusal('invalid_request', message, [{ path: `/parameterValues/${name}`, message: 'must be a single value' }])
}
