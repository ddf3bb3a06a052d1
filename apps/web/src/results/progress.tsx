import { LoaderCircle } from 'lucide-react'
import type { Run, RunInFull } from '../api/runs.ts'
import { Button } from '../ui/button.tsx'
import { useElapsedMs } from '../ui/use-elapsed.ts'

/** Longer than a free worker needs to claim a run. */
const explainWaitAfterMs = 10_000
const count = new Intl.NumberFormat()

/** The progress of a run, with a button to stop it. */
export function Progress({ run, startMs, onStop }: { run: Run & Partial<Pick<RunInFull, 'inputs'>>; startMs: number; onStop(): void }) {
  const elapsedMs = useElapsedMs(startMs)
  const { status, rowCountSoFar, progress, inputs = [] } = run
  const waitingFor = status === 'pending' ? inputs.filter((input) => input.status === 'waiting') : []
  return (
    <div className="grid gap-2 rounded-lg border border-line bg-surface px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <LoaderCircle className="size-4 animate-spin text-accent" aria-hidden="true" />
        <span role="status">{waitingFor.length > 0 ? 'Waiting for inputs…' : status === 'pending' ? 'Waiting to start…' : 'Running…'}</span>
        <span className="text-soft tabular-nums">{(elapsedMs / 1000).toFixed(1)} s</span>
        {rowCountSoFar !== null && rowCountSoFar > 0 && (
          <span className="text-soft tabular-nums">{count.format(rowCountSoFar)} {rowCountSoFar === 1 ? 'row' : 'rows'} so far</span>
        )}
        <Button size="small" className="ml-auto" onClick={onStop}>Stop</Button>
      </div>
      {waitingFor.length > 0 && (
        <p className="text-sm text-soft">
          {inputs.length - waitingFor.length} of {inputs.length} ready. Running {waitingFor.map(({ title }) => title).join(', ')}.
        </p>
      )}
      {status === 'pending' && waitingFor.length === 0 && elapsedMs > explainWaitAfterMs && (
        <p className="text-sm text-soft">
          All workers are busy, or none is running. The query starts as soon as one is free.
        </p>
      )}
      {progress !== null && progress > 0 && (
        <progress
          aria-label="Progress"
          max={100}
          value={progress}
          className="h-1 w-full overflow-hidden rounded-full bg-raised accent-accent"
        />
      )}
    </div>
  )
}
