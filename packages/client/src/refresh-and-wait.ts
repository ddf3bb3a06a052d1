import { ConflictError, RunFailedError, TimeoutError } from './errors.ts'
import type { LatestRun, Query } from './generated/schemas.ts'
import { makeLimit } from './limit.ts'
import { pollUntil } from './poll.ts'
import { callOperation } from './operation.ts'
import { type FetchedResult, readResult } from './results.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface RefreshAndWaitOptions extends CallOptions {
  /** Waits for a run that is already in progress, instead of rejecting with `query_already_running`. */
  joinRunning?: boolean
  /** Called with the run at every poll: first when it is started or joined, last when it has ended. */
  onRun?(run: Pick<LatestRun, 'id' | 'status'>): void
}

/**
 * Refreshes a query, waits for the run to end, and reads the result. Without `timeoutMs` it waits as long as the run takes.
 *
 * A query has one run at a time. So if its latest run is not ours, ours has ended and someone has refreshed again: that newer run
 * is followed, since its result is at least as fresh as the requested one.
 */
export async function refreshAndWait(
  transport: Transport,
  queryId: string,
  options: RefreshAndWaitOptions = {},
): Promise<FetchedResult> {
  const { signal, timeoutMs, onRun } = options
  const message = `The run did not end within ${timeoutMs} ms. It is still running: check it again, or wait longer.`
  const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms })
  const limit = makeLimit({ clock: transport.clock, timeoutMs, signal, onTimeout })
  const within = { signal: limit.signal }
  const look = () => callOperation(transport, 'queries.get', { params: { queryId } }, within)
  try {
    const started = await startOrJoin(transport, queryId, { ...within, joinRunning: options.joinRunning === true })
    if (started) onRun?.(started)
    const query = await pollUntil(transport, limit.signal, async () => {
      const seen = await look()
      if (seen.latestRun) onRun?.(seen.latestRun)
      return isEnded(seen) ? seen : undefined
    })
    if (query.latestRun?.status === 'failed') throw runFailed(query)
    return (await readResult(transport, queryId, within)) as FetchedResult
  } finally {
    limit.end()
  }
}

/** Undefined if there already is a run, which is joined. */
async function startOrJoin(transport: Transport, queryId: string, options: CallOptions & { joinRunning: boolean }) {
  const { signal, joinRunning } = options
  try {
    return await callOperation(transport, 'queries.refresh', { params: { queryId } }, { signal })
  } catch (error) {
    if (joinRunning && error instanceof ConflictError && error.code === 'query_already_running') return undefined
    throw error
  }
}

const isEnded = ({ latestRun }: Query) => latestRun?.status === 'completed' || latestRun?.status === 'failed'

function runFailed({ latestRun, latestRunMetadata }: Query): RunFailedError {
  const reason = latestRunMetadata?.failureReason ?? 'The service gave no reason.'
  return new RunFailedError({ message: `The run ${latestRun!.id} failed: ${reason}`, reason, run: latestRun! })
}
