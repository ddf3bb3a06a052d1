import { isDeepStrictEqual } from 'node:util'
import type { ParameterDefinition, ParameterValues } from '../../../model/parameter.ts'
import type { Query, QueryWithRuns } from '../../../model/query.ts'
import { renderSql } from '../../parameters/render-sql.ts'
import { Refusal } from '../../refusal.ts'

type Rendered = Pick<Query, 'sql'> & Pick<QueryWithRuns, 'dialect'>

/** The values of a run with the defaults of all parameters. Rejects if one has no default. */
export const defaultValues = (query: Rendered, definitions: ParameterDefinition[]): ParameterValues =>
  // Values of relative date ranges stay relative, so the day does not matter.
  renderSql({ ...query, definitions, values: {}, now: new Date(0) }).parameterValues

/** Whether a run had the default values, so that its result belongs to the change feed. */
export function isOwnRun(query: Rendered, definitions: ParameterDefinition[], values: ParameterValues): boolean {
  try {
    return isDeepStrictEqual(defaultValues(query, definitions), values)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
