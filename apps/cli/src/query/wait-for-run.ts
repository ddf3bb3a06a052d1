import { ConflictError, type Query, type Querypost, RunFailedError } from '@querypost/client'
import { CommandError, type Context } from '../command.ts'

/** The progress of a run. */
export interface RunProgress {
  runId: string
  status: string
  elapsedMs: number
  rowsRead: number | null
}

/**
 * Starts a run and waits for its end. A query has one run at a time, so the command follows the latest run, which may be a newer one
 * that somebody else has started.
 */
export async function runAndWait(
  context: Pick<Context, 'clock' | 'signal'>,
  client: Querypost,
  options: {
    queryId: string
    /** Resolves with undefined to follow a run that has started already. */
    start(): Promise<{ id: string; status: string } | undefined>
    onProgress(progress: RunProgress): void
  },
): Promise<Query> {
  const { clock, signal } = context
  const { queryId, onProgress } = options
  const startMs = clock.monotonicMs()
  const report = (run: { id: string; status: string }, rowsRead: number | null) =>
    onProgress({ runId: run.id, status: run.status, elapsedMs: clock.monotonicMs() - startMs, rowsRead })
  const started = await options.start()
  if (started) report(started, null)
  for (let waitMs = 100; ; waitMs = Math.min(1000, waitMs * 1.5)) {
    await clock.sleep(waitMs, signal)
    signal.throwIfAborted()
    const query = await client.queries.get(queryId, { signal })
    const { latestRun, latestRunMetadata } = query
    if (!latestRun) throw new CommandError(1, 'The run no longer exists.')
    report(latestRun, latestRunMetadata?.rowsRead ?? null)
    if (latestRun.status === 'completed') return query
    if (latestRun.status === 'failed') {
      const reason = latestRunMetadata?.failureReason ?? 'The service gave no reason.'
      throw new RunFailedError({ message: `The run failed: ${reason}`, reason, run: latestRun })
    }
  }
}

/** Refreshes a query. Resolves with undefined if it is running already: that run's result is as fresh. */
export async function refreshOrJoin(
  client: Querypost,
  { queryId, onJoined }: { queryId: string; onJoined(): void },
  signal: AbortSignal,
): Promise<{ id: string; status: string } | undefined> {
  try {
    return await client.queries.refresh(queryId, { signal })
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'query_already_running') throw error
    onJoined()
    return undefined
  }
}
