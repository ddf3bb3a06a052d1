import type { KeptResultInFull } from '../../model/history.ts'
import type { SentResult } from '../results/results.ts'
import { openKeptResult, type OpenKeptResultDeps } from './open-kept-result.ts'

/** A kept result in the form that is sent and converted like a cached one. */
export const sentKeptResult = (deps: OpenKeptResultDeps, result: KeptResultInFull): SentResult => ({
  // The SQL only names files, and these have the title of the reference.
  run: { id: result.runId, completedAt: result.at, renderedSql: '' },
  hash: result.resultHash,
  open: () => openKeptResult(deps, result),
})
