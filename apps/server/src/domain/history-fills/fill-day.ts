import type { ClaimedFill, FillDecision } from '../../model/history-fill.ts'
import { type QueryRunDeps, runReferenceToEnd } from '../agents/query-runs.ts'
import { Refusal } from '../refusal.ts'
import type { QueryServices } from '../services.ts'

/**
 * Runs a query for one past day, on behalf of the person who requested it. After a crash the run of the worker before is used, if it has the
 * same SQL and its result is still there.
 */
export async function fillDay(
  deps: QueryRunDeps & Pick<QueryServices, 'findMember'>,
  fill: ClaimedFill,
  signal: AbortSignal,
): Promise<FillDecision> {
  const { organizationId, requestedBy: userId, shortId, parameter, day } = fill
  const member = await deps.findMember({ organizationId, userId })
  if (!member) return { state: 'failed', reason: 'The person who requested it is no longer in the organization.' }
  const caller = { organizationId, userId, role: member.role, triggerId: fill.id }
  try {
    const run = await runReferenceToEnd(deps, caller, { shortId, parameterValues: { [parameter]: day }, notBefore: fill.requestedAt, signal })
    return run.status === 'completed' ? { state: 'filled', runId: run.id } : { state: 'missed', reason: `${day}: ${run.failureReason}` }
  } catch (error) {
    if (error instanceof Refusal) return { state: 'failed', reason: error.message }
    throw error
  }
}
