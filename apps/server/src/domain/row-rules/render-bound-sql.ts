import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import type { QueryWithRuns } from '../../model/query.ts'
import type { RowBinding } from '../../model/row-rule.ts'
import { readPlaceholders } from '../parameters/placeholder.ts'
import { type RenderedSql, renderSql } from '../parameters/render-sql.ts'
import { currentBindings } from './current-bindings.ts'

export interface BoundSql extends RenderedSql {
  /** Null without row rules. */
  rowBindings: string | null
}

/** A query with what decides about its rows. */
export type BoundQuery = Pick<QueryWithRuns, 'sql' | 'dialect' | 'analyticalDatabaseConfigId' | 'hasRowRules'>

/**
 * Renders SQL to run it, or to find the result of an earlier run. The only way to the SQL of a run, so that row rules always apply: a
 * parameter that is bound to an attribute has its value, whatever the given values are.
 */
export function renderBoundSql(
  query: BoundQuery,
  { values, ...options }: { definitions: readonly ParameterDefinition[]; values: ParameterValues; now: Date },
): BoundSql {
  const { sql, dialect } = query
  if (!query.hasRowRules) return { ...renderSql({ sql, dialect, values, ...options }), rowBindings: null }
  const { bindings, text } = currentBindings(query.analyticalDatabaseConfigId)
  const locked = lockValues(query, { bindings, values, definitions: options.definitions })
  return { ...renderSql({ sql, dialect, values: locked, ...options }), rowBindings: text }
}

/** Names that differ only in case count as the same, so that another spelling doesn't avoid the lock. */
function lockValues(
  { sql, dialect }: Pick<BoundQuery, 'sql' | 'dialect'>,
  given: { bindings: readonly RowBinding[]; values: ParameterValues; definitions: readonly ParameterDefinition[] },
): ParameterValues {
  const locks = new Map(given.bindings.flatMap(({ kind, name, value }) => (kind === 'parameter' ? [[name!.toLowerCase(), value]] : [])))
  const isLocked = (name: string) => locks.has(name.toLowerCase())
  const names = readPlaceholders(sql, dialect).flatMap(({ placeholders }) => placeholders.map(({ name }) => name))
  const isList = (name: string) => given.definitions.some((definition) => definition.name === name && definition.isList)
  const lockOf = (name: string) => (isList(name) ? [locks.get(name.toLowerCase())!] : locks.get(name.toLowerCase())!)
  return {
    ...Object.fromEntries(Object.entries(given.values).filter(([name]) => !isLocked(name))),
    ...Object.fromEntries(names.filter(isLocked).map((name) => [name, lockOf(name)])),
  }
}
