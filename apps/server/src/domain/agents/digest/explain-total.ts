import type { Observation } from '../../../model/observation.ts'
import type { Run } from '../../../model/run.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import { findKeptResult } from '../../../store/history/archived-results-table.ts'
import type { AgentTask } from '../../agent-runs/agent.ts'
import type { CompareDeps } from '../../history/compare/compare-results.ts'
import { withRowsOfBoth } from '../../history/compare/row-lines.ts'
import { openKeptResult } from '../../history/open-kept-result.ts'
import { explainRows } from '../../history/why/explain-change.ts'
import { Refusal } from '../../refusal.ts'
import { cachedResultOf, type ResultsDeps } from '../../results/results.ts'
import { getRun } from '../../runs/read-runs.ts'
import { contributionPoint, totalToExplain } from './contribution.ts'
import type { Findings, Point } from './findings.ts'
import type { Picture } from './picture.ts'
import type { ReadResult } from './read-observed-rows.ts'

export type ExplainTotalDeps = CompareDeps & Omit<ResultsDeps, 'findQuery'>

/** A comparison reads both results whole, and a process makes one at a time. */
const explainedRows = 1_000_000

interface DigestedResult {
  result: ReadResult
  picture: Picture
  findings: Findings
  previous: Observation
}

interface Compared extends DigestedResult {
  task: Pick<AgentTask, 'caller' | 'signal'>
  run: Run
  referenceId: string
}

/** Says what contributed most to the change of a total since the last run. Empty if the earlier result is no longer stored. */
export async function explainTotal(deps: ExplainTotalDeps, { task, run, referenceId, ...digested }: Compared): Promise<Point[]> {
  const { previous } = digested
  const open = { from: () => openEarlier(deps, { task, referenceId, previous }), to: () => cachedResultOf(deps, run).open() }
  return explainTotalBetween(deps, open, { ...digested, rowsMax: explainedRows, signal: task.signal })
}

/** The same for any two results. Empty if one of them has more than `rowsMax` rows. */
export async function explainTotalBetween(
  deps: Pick<CompareDeps, 'rowComparer'>,
  open: { from(): Promise<StoredResult>; to(): Promise<StoredResult> },
  { result, picture, findings, previous, rowsMax, signal }: DigestedResult & { rowsMax: number; signal: AbortSignal },
): Promise<Point[]> {
  const total = totalToExplain(findings)
  if (!total || Math.max(previous.rowCount, result.rowCount) > rowsMax) return []
  try {
    const { measures } = await withRowsOfBoth(open, (rows) => explainRows(deps, rows, { measure: total.column.name, signal }))
    return contributionPoint({ column: total.column, change: measures[0]! }, { picture, columns: result.columns, previous })
  } catch (error) {
    // The earlier result has expired, or the column has values that cannot be added up.
    if (error instanceof Refusal) return []
    throw error
  }
}

async function openEarlier(deps: ExplainTotalDeps, { task, referenceId, previous: { runId } }: Pick<Compared, 'task' | 'referenceId' | 'previous'>): Promise<StoredResult> {
  const { caller } = task
  const kept = await findKeptResult(deps.db, { organizationId: caller.organizationId, referenceId, runId })
  return kept ? openKeptResult(deps, kept) : cachedResultOf(deps, await getRun(deps, caller, runId)).open()
}
