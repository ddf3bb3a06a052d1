import type { Caller } from '../../model/caller.ts'
import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import { readCostLimits, readCostUsage } from '../../store/cost-limits/cost-usage.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { checkDefinitions } from '../parameters/check-definitions.ts'
import { renderBoundSql } from '../row-rules/render-bound-sql.ts'
import { estimateBytes } from './estimate-bytes.ts'
import { describeExceededLimit, findExceededLimit } from './exceeded-limit.ts'
import type { CostLimitDeps } from './within-cost-limits.ts'

export interface QueryEstimate {
  /** Null if the engine has no estimate, or rejects the statement. */
  estimatedBytes: number | null
  /** Why the query would be rejected now; null if it may run. */
  exceededLimit: string | null
}

/** What a query would read, before anything is stored or run. */
export async function estimateQuery(
  deps: CostLimitDeps,
  caller: Caller,
  input: { configId: string; sql: string; definitions: ParameterDefinition[]; parameterValues: ParameterValues },
): Promise<QueryEstimate> {
  const { organizationId, userId } = caller
  const database = await getDatabaseConfig(deps, caller, input.configId)
  const query = { sql: input.sql, dialect: database.engine, analyticalDatabaseConfigId: database.id, hasRowRules: database.rowRules !== undefined }
  const definitions = checkDefinitions(input.definitions)
  const { renderedSql } = renderBoundSql(query, { definitions, values: input.parameterValues, now: deps.clock.now() })
  const estimatedBytes = await estimateBytes(deps, database, renderedSql)
  if (estimatedBytes === undefined) return { estimatedBytes: null, exceededLimit: null }
  const limits = await readCostLimits(deps.db, organizationId)
  const usage = limits && (await readCostUsage(deps.db, { organizationId, personId: userId }))
  const exceeded = limits && findExceededLimit({ limits, usage: usage!, estimatedBytes })
  return { estimatedBytes, exceededLimit: exceeded ? describeExceededLimit(exceeded) : null }
}
