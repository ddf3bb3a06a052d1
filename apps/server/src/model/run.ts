import type { ParameterType, ParameterValues } from './parameter.ts'

/**
 * A *run* is one execution of a query: pending → running → completed | failed. A run that is stopped before it starts goes from
 * pending to failed. Nothing leaves completed or failed. A query has at most one pending or running run, which the database
 * enforces, not memory.
 */
export interface Run {
  id: string
  queryId: string
  /** 1, 2, 3, … within its query. */
  number: number
  status: RunStatus
  runAt: Date
  startedAt: Date | null
  completedAt: Date | null
  triggerId: string
  parameterValues: ParameterValues
  parameterTypes: Record<string, ParameterType>
  /** The exact text that is, or was, executed. */
  renderedSql: string
  failureReason: string | null
  /** Whether a person stopped it. Its status is then `failed`, but nothing is wrong with the query. */
  isStopped: boolean
  /** Where in `renderedSql` the error is, if the run failed and the engine reported it. */
  errorPosition: ErrorPosition | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  rowCount: number | null
  /** Rows written so far, and how much of the work before the first row is done (0 to 100); null unless it is running. */
  rowCountSoFar: number | null
  progress: number | null
  /** Size and hash of the stored result; null until completed. */
  resultSizeBytes: number | null
  resultHash: string | null
}

export type RunStatus = 'pending' | 'running' | 'completed' | 'failed'

/** A place in the SQL text. Both count from 1; a column is a UTF-16 code unit, as in JavaScript and in editors. */
export interface ErrorPosition {
  line: number
  column: number
}

/**
 * A result that a run reads with `ref(…)`. It is chosen when the run is requested: a stored result that is fresh enough, or that of a run
 * that is unfinished, for which the run waits.
 */
export interface RunInput {
  referenceId: string
  parameterValues: ParameterValues
  inputRunId: string
  status: RunInputStatus
  /** Null unless completed. */
  resultHash: string | null
}

export type RunInputStatus = 'waiting' | 'completed' | 'failed'

/** With what people want to know about it. */
export interface RunInputInFull extends RunInput {
  position: number
  shortId: string
  title: string
  /** When its result was computed; null if its run has not ended, or was removed. */
  completedAt: Date | null
  sizeBytes: number | null
  rowCount: number | null
  failureReason: string | null
}
