import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type RunInFull, runOptions } from '../../api/runs.ts'
import { Progress } from '../../results/progress.tsx'
import { useStopRun } from '../../results/use-stop-run.ts'
import { startMsOf } from '../../ui/use-elapsed.ts'

/** The progress of a run, with a button to stop it. */
export function RunProgress({ run }: { run: RunInFull }) {
  const queryClient = useQueryClient()
  const [startMs] = useState(() => startMsOf(run.runAt))
  const stop = useStopRun()
  const stopRunning = () => stop.mutate(run.id, { onSettled: () => void queryClient.invalidateQueries(runOptions(run.id)) })
  return <Progress run={run} startMs={startMs} onStop={stopRunning} />
}
