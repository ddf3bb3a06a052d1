import { type Static, Type } from 'typebox'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Run } from '../../model/run.ts'
import { isEnded } from '../../domain/runs/read-runs.ts'
import { presentPagesRun } from '../present.ts'
import { bounds } from './mcp-limits.ts'
import { linksAt } from './mcp-links.ts'
import { Next, nullableInteger, nullableText, ShownValues, Status, text } from './shapes.ts'
import { shown, shownOrNull, shownValue } from './mcp-texts.ts'

/** A run, for a model that waits for its result. */
export const RunAnswer = Type.Object({
  id: text,
  queryId: text,
  status: Status,
  runAt: text,
  completedAt: nullableText,
  durationMs: nullableInteger,
  rowCount: nullableInteger,
  rowCountSoFar: nullableInteger,
  failureReason: nullableText,
  triggerId: text,
  parameterValues: ShownValues,
  renderedSql: text,
  url: text,
  next: Next,
})

export function presentRunAnswer(run: Run, place: { baseUrl: string }): Static<typeof RunAnswer> {
  const { id, runAt, completedAt, durationMs } = presentPagesRun(run)
  return {
    id,
    queryId: run.queryId,
    status: run.status,
    runAt,
    completedAt,
    durationMs,
    rowCount: run.rowCount,
    rowCountSoFar: run.rowCountSoFar,
    failureReason: shownOrNull(run.failureReason, bounds.failureReason),
    triggerId: run.triggerId,
    parameterValues: shownValues(run.parameterValues),
    renderedSql: shown(run.renderedSql, bounds.sql),
    url: linksAt(place).run(id),
    next: nextOf(run),
  }
}

export const LatestRun = Type.Object({ id: text, status: Status, runAt: text, completedAt: nullableText })

/** For lists. */
export const presentLatestRun = (run: Pick<Run, 'id' | 'status' | 'runAt' | 'completedAt'> | null) =>
  run && {
    id: run.id,
    status: run.status,
    runAt: run.runAt.toISOString(),
    completedAt: run.completedAt?.toISOString() ?? null,
  }

export const shownValues = (values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, shownValue(value, bounds.parameterValue) as typeof value]),
  )

function nextOf({ id, status }: Run): string {
  if (status === 'completed') return `Use read_result with runId ${id} to read its rows.`
  if (status === 'failed') return 'It failed. See failureReason.'
  return `It has not ended. Use get_run with runId ${id} and waitSeconds to wait for it, or stop_run to stop it.`
}

/** The progress of a run as text. */
export function describeProgress(run: Run): string {
  if (isEnded(run) || run.status === 'pending') return run.status
  if (run.rowCountSoFar) return `running, ${run.rowCountSoFar} rows so far`
  return run.progress === null ? 'running' : `running, ${Math.round(run.progress)} % done before the first row`
}
