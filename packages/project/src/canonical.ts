import { createHash } from 'node:crypto'
import type { Contents, ItemKind, Parameter, Tile } from './items.ts'

/**
 * Equal contents have one form: fields in a fixed order, without those that have their default, and texts trimmed where the service
 * trims them. Files are printed from this form, and hashes are computed from it.
 */
export function canonical<Kind extends ItemKind>(kind: Kind, content: Contents[Kind]): Contents[Kind] {
  return canonicalForms[kind](content)
}

export function hashOf<Kind extends ItemKind>(kind: Kind, content: Contents[Kind]): string {
  return createHash('sha256').update(JSON.stringify(sorted(canonical(kind, content)))).digest('hex').slice(0, 32)
}

const canonicalForms: { [Kind in ItemKind]: (content: Contents[Kind]) => Contents[Kind] } = {
  folder: ({ name, folder }) => ({ name: name.trim(), ...given({ folder }) }),
  query: ({ title, description, folder, database, freshForSeconds, parameters, visualization, sql }) => ({
    title,
    ...given({ description, folder }),
    database,
    ...given({ freshForSeconds, parameters: parametersOf(parameters), visualization: visualization && chartOf(visualization) }),
    sql,
  }),
  board: ({ title, description, folder, parameters, tabs, tiles }) => ({
    title: title.trim(),
    ...given({ description: description?.trim(), folder, parameters: parametersOf(parameters) }),
    ...given({
      tabs: tabs?.map((tab) => ({ title: tab.title, ...given({ tiles: tab.tiles?.map(tileOf) }) })),
      tiles: tiles?.map(tileOf),
    }),
  }),
  automation: ({ name, agent, enabled, strict, schedule, queries, condition, instructions }) => ({
    name: name.trim(),
    ...given({ agent: unless(agent, 'digest'), enabled: unless(enabled, true), strict: unless(strict, false) }),
    ...given({ schedule: schedule && { cron: schedule.cron, timeZone: schedule.timeZone }, queries, condition: condition && conditionOf(condition) }),
    instructions: instructions.trim(),
  }),
  metric: ({ name, unit, synonyms, owner, description, query, database, sql }) => ({
    name: name.trim(),
    ...given({ unit: unit?.trim(), synonyms, owner: owner?.toLowerCase(), description: description?.trim(), query, database, sql: sql?.trim() }),
  }),
  question_set: ({ name, schedule, questions }) => ({
    name: name.trim(),
    ...given({
      schedule: schedule && { cron: schedule.cron, timeZone: schedule.timeZone },
      questions: questions?.map(({ question, database, isOrdered, tolerance, expectedSql, expectedRows }) => ({
        question: question.trim(),
        database,
        ...given({ isOrdered: unless(isOrdered, false), tolerance: unless(tolerance, 0), expectedSql }),
        ...(expectedRows && { expectedRows }),
      })),
    }),
  }),
}

type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The fields that say something. */
function given<Fields extends Record<string, unknown>>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Given<Fields>
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const unless = <Value>(value: Value | undefined, usual: Value) => (value === usual ? undefined : value)

function parametersOf(parameters: Parameter[] | undefined): Parameter[] | undefined {
  return parameters?.map(({ name, type, displayName, defaultValue, description, isList, options }) => ({
    name,
    type,
    ...given({ displayName: unless(displayName, name), defaultValue, description, isList: unless(isList, false) }),
    ...(options && {
      options: {
        ...(options.values && { values: options.values.map(({ value, label }) => ({ value, ...(label !== undefined && { label }) })) }),
        ...given({ query: options.query, valueColumn: options.valueColumn, labelColumn: options.labelColumn, dependsOn: options.dependsOn }),
      },
    }),
  }))
}

function chartOf({ type, jsxConfig, marginConfig, ...rest }: { type: string; [setting: string]: unknown }) {
  const margins = Object.entries((marginConfig ?? {}) as Record<string, unknown>).filter(([, margin]) => margin !== 0)
  return { type, ...given({ jsxConfig, marginConfig: Object.fromEntries(margins) }), ...given(rest) }
}

function tileOf(tile: Tile): Tile {
  const { query, text, heading, image, alt, title, shows, place, parameters, opens, filters } = tile
  const { x, y, width, height } = place
  return {
    ...(query !== undefined && { query }),
    ...(text !== undefined && { text }),
    ...(heading !== undefined && { heading }),
    ...(image !== undefined && { image }),
    ...given({ alt, title, shows }),
    place: { x, y, width, height },
    ...given({ parameters }),
    ...(opens && { opens: { board: opens.board, parameter: opens.parameter, column: opens.column } }),
    ...(filters && { filters: { column: filters.column, parameter: filters.parameter } }),
  }
}

function conditionOf({ query, kind, everyTime, muteWindows, ...rest }: { query: string; kind: string; [field: string]: unknown }) {
  return { query, kind, ...rest, ...given({ everyTime: unless(everyTime, false), muteWindows }) }
}

/** With the keys of all objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
