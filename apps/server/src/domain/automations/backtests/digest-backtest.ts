import type { Schedule } from '../../../model/automation.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Observation } from '../../../model/observation.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import type { Clock } from '../../../ports/clock.ts'
import { readRows } from '../../../results/read-rows.ts'
import type { ResultToReplay } from '../../../store/history/archived-results-table.ts'
import { type DigestedRun, digestResult } from '../../agents/digest/digest-result.ts'
import { explainTotalBetween } from '../../agents/digest/explain-total.ts'
import { readResult } from '../../agents/digest/read-observed-rows.ts'
import { type Digested, summarize } from '../../agents/digest/summary.ts'
import type { CompareDeps } from '../../history/compare/compare-results.ts'
import { openKeptResult } from '../../history/open-kept-result.ts'
import { badInput } from '../../people/check-text.ts'
import { getReference } from '../../references/references.ts'
import { referencesMax } from '../check-automation.ts'
import { checkSchedule } from '../check-schedule.ts'
import type { BacktestDeps } from './backtest.ts'
import type { PlannedDigest } from './plan-digests.ts'
import { readPastRuns } from './read-past-runs.ts'

export interface DigestBacktestDeps extends BacktestDeps, Pick<CompareDeps, 'rowComparer'> {
  clock: Clock
  baseUrl: string
}

export interface PastSummary {
  at: Date
  /** Markdown. */
  summary: string
  isNotable: boolean
}

export interface DigestBacktest {
  /** Newest first. */
  summaries: PastSummary[]
  /** How many the digest would have written in all. */
  count: number
  /** For the next page; null on the last one. */
  nextBefore: Date | null
}

const summariesMax = 5
/** Opening a result takes time, so a page of many queries has fewer summaries. */
const openedMax = 40
/** A page may need as many comparisons, one after the other, while somebody waits. */
const explainedRows = 100_000

/** The summaries that the digest would have written over the kept results of some queries, a page at a time. Changes nothing. */
export async function digestBacktest(
  deps: DigestBacktestDeps,
  caller: Caller,
  input: { references: string[]; schedule?: Schedule | null | undefined; before?: string | undefined; signal: AbortSignal },
): Promise<DigestBacktest> {
  const now = deps.clock.now()
  const shortIds = [...new Set(input.references)]
  if (shortIds.length === 0 || shortIds.length > referencesMax) throw badInput('/references', `must name 1 to ${referencesMax} references`)
  const schedule = input.schedule ? checkSchedule(input.schedule, { path: '/schedule', now }) : null
  const references = await Promise.all(shortIds.map((shortId) => getReference(deps, caller, shortId)))
  const planned = await readPastRuns(deps, caller, { references, schedule, now })
  const end = input.before === undefined ? planned.length : planned.filter(({ at }) => at < new Date(input.before!)).length
  const begin = Math.max(0, end - Math.min(summariesMax, Math.max(1, Math.floor(openedMax / references.length) - 1)))
  const summaries = await writeSummaries(deps, references, { planned: planned.slice(begin, end), earlier: planned[begin - 1], signal: input.signal })
  return { summaries: summaries.toReversed(), count: planned.length, nextBefore: begin > 0 ? planned[begin]!.at : null }
}

/** Each digest compares with the one before it. `earlier`: the one before the first. */
async function writeSummaries(
  deps: DigestBacktestDeps,
  references: readonly ReferenceInFull[],
  options: { planned: readonly PlannedDigest<ResultToReplay>[]; earlier: PlannedDigest<ResultToReplay> | undefined; signal: AbortSignal },
): Promise<PastSummary[]> {
  const { planned, earlier, signal } = options
  const remembered = new Map<string, { kept: ResultToReplay; content: Observation }>()
  const digest = async ({ at, results }: PlannedDigest<ResultToReplay>): Promise<PastSummary> => {
    const digested: (Digested & { findings: { isNotable: boolean } })[] = []
    for (const { id, title } of references) {
      const kept = results.get(id)
      if (!kept) continue
      const result = await readResult(await readRows(await openKeptResult(deps, kept)))
      const before = remembered.get(id)
      const { picture, content, findings } = await digestResult(result, runOf(kept), { before: before?.content, nowMs: at.getTime() })
      const open = { from: () => openKeptResult(deps, before!.kept), to: () => openKeptResult(deps, kept) }
      const compared = before && { result, picture, findings, previous: before.content, rowsMax: explainedRows, signal }
      const reasons = compared ? await explainTotalBetween(deps, open, compared) : []
      remembered.set(id, { kept, content })
      const runUrl = `${deps.baseUrl}/runs/${kept.runId}`
      digested.push({ title, runId: kept.runId, runUrl, findings: { ...findings, points: [...reasons, ...findings.points] } })
    }
    return { at, summary: summarize(digested).text, isNotable: digested.some(({ findings }) => findings.isNotable) }
  }
  if (earlier) await digest(earlier)
  const summaries: PastSummary[] = []
  for (const one of planned) summaries.push(await digest(one))
  return summaries
}

/** Kept results say what was run even after the run itself is removed. Another day of a filled history doesn't count as another query. */
function runOf({ runId, at, queryId, parameterTypes, parameterValues, resultHash }: ResultToReplay): DigestedRun {
  return { parameterTypes, parameterValues, runAt: at, sqlHash: queryId, source: { runId, sql: '', parameters: parameterValues, resultHash } }
}
