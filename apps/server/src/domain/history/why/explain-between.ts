import type { Caller } from '../../../model/caller.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { Clock } from '../../../ports/clock.ts'
import { findKeptResultAt } from '../../../store/history/archived-results-table.ts'
import type { CompareDeps } from '../compare/compare-results.ts'
import { getReference } from '../../references/references.ts'
import { Refusal } from '../../refusal.ts'
import { type ExplainedChange, explainChange } from './explain-change.ts'
import type { MeasureChoice } from './choose-columns.ts'

export interface ExplainedBetween {
  title: string
  /** The results that were there at the two times. */
  before: KeptResultInFull
  after: KeptResultInFull
  explained: ExplainedChange
}

/** Why a reference's result changed between two times, by the results kept then. Without `to`: until now. */
export async function explainBetween(
  deps: CompareDeps & { clock: Clock },
  caller: Caller,
  { shortId, from, to, ...choice }: MeasureChoice & { shortId: string; from: string; to?: string; signal: AbortSignal },
): Promise<ExplainedBetween> {
  const { id: referenceId, title } = await getReference(deps, caller, shortId)
  const keptAt = async (at: Date) => {
    const kept = await findKeptResultAt(deps.db, { organizationId: caller.organizationId, referenceId, at })
    if (!kept) throw new Refusal('result_not_kept', `No result of ${at.toISOString()} or before is kept. Choose a later time.`)
    return kept
  }
  const before = await keptAt(timeOf(from))
  const after = await keptAt(to === undefined ? deps.clock.now() : timeOf(to))
  if (before.runId === after.runId) throw new Refusal('invalid_request', 'Both times have the same result. Choose an earlier time for `from`.')
  return { title, before, after, explained: await explainChange(deps, caller, { shortId, from: before.runId, to: after.runId, ...choice }) }
}

function timeOf(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new Refusal('invalid_request', `${JSON.stringify(text)} is not a time. Example: 2026-03-01T08:00Z.`)
  return at
}
