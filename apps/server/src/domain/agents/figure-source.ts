import type { FigureSource } from '@querypost/answers'
import type { Run } from '../../model/run.ts'

/** What a proof says about a completed run. */
export const sourceOf = (run: Run): FigureSource => ({
  runId: run.id,
  sql: run.renderedSql,
  parameters: run.parameterValues,
  resultHash: run.resultHash!,
})
