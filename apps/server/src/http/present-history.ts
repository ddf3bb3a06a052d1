import type { HistoryFill } from '../model/history-fill.ts'
import type { PastReference } from '../domain/history/past-results.ts'
import type { ExplainedChange } from '../domain/history/why/explain-change.ts'
import type { KeptResult } from '../model/history.ts'

export const presentKeptResult = ({ runId, at, rowCount, resultHash, sizeBytes, isPinned }: KeptResult) => ({
  runId,
  at: at.toISOString(),
  rowCount,
  resultHash,
  sizeBytes,
  isPinned,
})

export const presentExplainedChange = ({ from, to, steps, ...rest }: ExplainedChange) => ({
  from: presentKeptResult(from),
  to: presentKeptResult(to),
  ...rest,
  steps: steps.map(({ numberColumns: _, ...step }) => ({ ...step, from: presentPoint(step.from), to: presentPoint(step.to) })),
})

const presentPoint = ({ runId, at }: { runId: string; at: Date }) => ({ runId, at: at.toISOString() })

export const presentPastReference = ({ shown, oldestAt }: PastReference) => ({
  shown: shown && {
    result: presentKeptResult(shown.result),
    sql: shown.sql,
    queryId: shown.result.queryId,
    parameterValues: shown.result.parameterValues,
    title: shown.version.title,
    description: shown.version.description,
    parameters: shown.version.parameters,
    ...(shown.version.visualization && { visualization: shown.version.visualization }),
  },
  oldestAt: oldestAt?.toISOString() ?? null,
})

export const presentFill = ({ id: _, ...fill }: HistoryFill) => fill
