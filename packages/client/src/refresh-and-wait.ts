import { ConflictError, RunFailedError, TimeoutError } from './errors.ts'
import type { LatestRun, Query } from './generated/schemas.ts'
import { makeLimit } from './limit.ts'
import { lookUntil } from './look-again.ts'
import { callOperation } from './operation.ts'
import { type FetchedResult, readResult } from './results.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface RefreshAndWaitOptions extends CallOptions {
  /**
   * A run that is under way already is as good: wait for that one, instead of rejecting with `query_already_running`.
   */
  joinRunning?: boolean
  /** Told of the run whenever it is looked at: first when it is started or joined, last when it has ended. */
  onRun?(run: Pick<LatestRun, 'id' | 'status'>): void
}

/**
 * Refreshes a query, waits for the run to end, and reads the result. Without `timeoutMs` it waits as long as the run
 * may take.
 *
 * A query has one run at a time. So when its latest run is another than ours, ours has ended, and somebody has
 * refreshed once more: that newer run is followed, since its result is at least as fresh as the one that was asked
 * for.
 */
export async function refreshAndWait(
  transport: Transport,
  queryId: string,
  options: RefreshAndWaitOptions = {},
): Promise<FetchedResult> {
  const { signal, timeoutMs, onRun } = options
  const message = `The run did not end within ${timeoutMs} ms. It goes on: look at it again, or wait longer.`
  const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms })
  const limit = makeLimit({ clock: transport.clock, timeoutMs, signal, onTimeout })
  const within = { signal: limit.signal }
  const look = () => callOperation(transport, 'queries.get', { params: { queryId } }, within)
  try {
    const started = await startOrJoin(transport, queryId, { ...within, joinRunning: options.joinRunning === true })
    if (started) onRun?.(started)
    const query = await lookUntil(transport, limit.signal, async () => {
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

/** Undefined when there is a run already, which is joined. */
async function startOrJoin(transport: Transport, queryId: string, options: CallOptions & { joinRunning: boolean }) {
  const { signal, joinRunning } = options
  try {
    // Who joins what is running may ask twice: the second time it meets the run of the first.
    const repeating = joinRunning ? { isHarmlessTwice: true } : {}
    return await callOperation(transport, 'queries.refresh', { params: { queryId } }, { signal, ...repeating })
  } catch (error) {
    if (joinRunning && error instanceof ConflictError && error.code === 'query_already_running') return undefined
    throw error
  }
}

const isEnded = ({ latestRun }: Query) => latestRun?.status === 'completed' || latestRun?.status === 'failed'

function runFailed({ latestRun, latestRunMetadata }: Query): RunFailedError {
  const reason = latestRunMetadata?.failureReason ?? 'The service does not say why.'
  return new RunFailedError({ message: `The run ${latestRun!.id} failed: ${reason}`, reason, run: latestRun! })
}
