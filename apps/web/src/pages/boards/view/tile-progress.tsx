import { CircleStop, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import type { TileResult } from '../../../api/boards.ts'
import { useStopRun } from '../../../results/use-stop-run.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { startMsOf, useElapsedMs } from '../../../ui/use-elapsed.ts'

const count = new Intl.NumberFormat()
const tickMs = 1000

/** How far the run of a tile is, in the middle of a tile without a result or beside the title of one that has an earlier result. */
export function TileProgress({ result, title, isBeside }: { result: TileResult; title: string; isBeside: boolean }) {
  const { runningRunId, runningSince, progress, rowCountSoFar } = result
  const stop = useStopRun()
  const spinner = <LoaderCircle className="size-3.5 shrink-0 animate-spin text-accent" aria-hidden="true" />
  const label = runningRunId === null ? 'Waiting…' : isBeside ? 'Updating…' : 'Running…'
  const elapsed = runningSince !== null && <Elapsed key={runningSince} since={runningSince} />
  const percent = progress !== null && progress > 0 && <span className="tabular-nums">{Math.round(progress)}%</span>
  const stopRunning = () => stop.mutate(runningRunId!)
  if (isBeside) {
    return (
      <span className="flex items-center gap-1.5">
        {spinner}
        {/* A narrow tile has room for the time only. */}
        <span role="status" className="@max-xs:sr-only">{label}</span>
        {elapsed}
        {percent}
        {runningRunId !== null && (
          <IconButton label={`Stop ${title}`} icon={<CircleStop />} className="size-7" disabled={stop.isPending} onClick={stopRunning} />
        )}
      </span>
    )
  }
  return (
    <div className="grid h-full place-content-center justify-items-center gap-2 text-soft">
      <p className="flex flex-wrap items-center justify-center gap-x-2">
        {spinner}
        <span role="status">{label}</span>
        {elapsed}
        {rowCountSoFar !== null && rowCountSoFar > 0 && (
          <span className="tabular-nums">{count.format(rowCountSoFar)} {rowCountSoFar === 1 ? 'row' : 'rows'} so far</span>
        )}
        {percent}
      </p>
      {progress !== null && progress > 0 && (
        <progress aria-label="Progress" max={100} value={progress} className="h-1 w-32 overflow-hidden rounded-full bg-raised accent-accent" />
      )}
      {runningRunId !== null && (
        <Button size="small" aria-label={`Stop ${title}`} isBusy={stop.isPending} onClick={stopRunning}>Stop</Button>
      )}
    </div>
  )
}

function Elapsed({ since }: { since: string }) {
  const [startMs] = useState(() => startMsOf(since))
  return <span className="tabular-nums">{Math.floor(useElapsedMs(startMs, tickMs) / 1000)} s</span>
}
