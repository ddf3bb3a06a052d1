import { EngineError, type EngineSession } from '../../engines/engine.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import type { RowBinding, RowRule } from '../../model/row-rule.ts'
import { currentBindings, rowRulesApply } from './current-bindings.ts'
import { areOfRules, readBindings } from './row-bindings.ts'

/**
 * How a claimed run signs in to its database. Rejects a run whose bindings are missing or not those of the current rules, for example
 * because the rules were set after it was requested.
 */
export function sessionOfRun({ rowBindings = null, rowRules = null }: { rowBindings?: string | null; rowRules?: RowRule[] | null }): { session?: EngineSession } {
  if (rowRules === null && rowBindings === null) return {}
  const bindings = readBindings(rowBindings ?? '')
  if (rowRules !== null && !('missing' in bindings) && areOfRules(bindings, rowRules)) return sessionOf(bindings)
  throw new EngineError('refused', 'The row rules of the database have changed since the run was requested. Run the query again.')
}

/** How the service reads rows of a table for the current person. */
export function sessionForRows({ id, rowRules }: Pick<AnalyticalDatabase, 'id' | 'rowRules'>): { session?: EngineSession } {
  if (!rowRules) return {}
  if (rowRules.some(({ kind }) => kind === 'parameter')) {
    throw rowRulesApply('The rows of this table depend on who looks, so they are only shown by queries.')
  }
  return sessionOf(currentBindings(id).bindings)
}

function sessionOf(bindings: readonly RowBinding[]): { session?: EngineSession } {
  const session: EngineSession = { settings: [] }
  for (const { kind, name, value } of bindings) {
    if (kind === 'setting') session.settings.push({ name: name!, value })
    else if (kind !== 'parameter') session[kind] = value
  }
  return session.settings.length > 0 || session.role !== undefined || session.user !== undefined ? { session } : {}
}
