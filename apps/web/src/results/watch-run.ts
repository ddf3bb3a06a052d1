import { getRun, isEnded, type Run } from '../api/runs.ts'

/** Quick at first, since most runs take moments; then so slow that a long one costs nothing. */
const firstWaitMs = 100
const longestWaitMs = 2_000

/** Asks after a run until it has ended, and tells how it stands each time. */
export async function watchRun(run: Run, options: { signal: AbortSignal; onChange(run: Run): void }): Promise<Run> {
  const { signal, onChange } = options
  let now = run
  for (let waitMs = firstWaitMs; !isEnded(now) && !signal.aborted; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    onChange(now)
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs)
    })
    if (!signal.aborted) now = await getRun(run.id, signal)
  }
  return now
}
