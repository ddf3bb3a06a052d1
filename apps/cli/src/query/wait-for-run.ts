import { ConflictError, type Query, type Querypost, RunFailedError } from '@querypost/client'
import { Complaint, type Context } from '../command.ts'

/** How a run stands, whenever it was looked at. */
export interface Seen {
  runId: string
  status: string
  elapsedMs: number
  rowsRead: number | null
}

/**
 * Asks for a run and waits for its end. A query has one run at a time: one that is under way already is as good, and
 * is waited for instead; so is a newer one, if somebody has asked once more meanwhile.
 */
export async function runAndWait(
  context: Pick<Context, 'clock' | 'signal'>,
  client: Querypost,
  options: { queryId: string; onSeen(seen: Seen): void; onJoined(): void },
): Promise<Query> {
  const { clock, signal } = context
  const { queryId, onSeen } = options
  const startMs = clock.monotonicMs()
  const see = (run: { id: string; status: string }, rowsRead: number | null) =>
    onSeen({ runId: run.id, status: run.status, elapsedMs: clock.monotonicMs() - startMs, rowsRead })
  const started = await startOrJoin(client, options, signal)
  if (started) see(started, null)
  for (let waitMs = 100; ; waitMs = Math.min(1000, waitMs * 1.5)) {
    await clock.sleep(waitMs, signal)
    signal.throwIfAborted()
    const query = await client.queries.get(queryId, { signal })
    const { latestRun, latestRunMetadata } = query
    if (!latestRun) throw new Complaint(1, 'The run is gone.')
    see(latestRun, latestRunMetadata?.rowsRead ?? null)
    if (latestRun.status === 'completed') return query
    if (latestRun.status === 'failed') {
      const reason = latestRunMetadata?.failureReason ?? 'The service gave no reason.'
      throw new RunFailedError({ message: `The run failed: ${reason}`, reason, run: latestRun })
    }
  }
}

/** Undefined when there is a run already. */
async function startOrJoin(
  client: Querypost,
  { queryId, onJoined }: { queryId: string; onJoined(): void },
  signal: AbortSignal,
) {
  try {
    return await client.queries.refresh(queryId, { signal })
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'query_already_running') throw error
    onJoined()
    return undefined
  }
}
