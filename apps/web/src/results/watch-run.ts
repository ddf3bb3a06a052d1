import { getRun, isEnded, type Run } from '../api/runs.ts'

/** Polls quickly at first, since most runs are short, then slowly enough for long runs to cost little. */
const firstWaitMs = 100
const maxWaitMs = 2_000

/** Polls a run until it has ended, and reports each state. */
export async function watchRun(run: Run, options: { signal: AbortSignal; onChange(run: Run): void }): Promise<Run> {
  const { signal, onChange } = options
  let now = run
  for (let waitMs = firstWaitMs; !isEnded(now) && !signal.aborted; waitMs = Math.min(waitMs * 1.5, maxWaitMs)) {
    onChange(now)
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs)
    })
    if (!signal.aborted) now = await getRun(run.id, signal)
  }
  return now
}
