import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, messageOf } from '../../api/request.ts'
import { type RunInFull, runOptions, stopRun } from '../../api/runs.ts'
import { Progress } from '../../results/progress.tsx'
import { Problem } from '../../ui/notice.tsx'
import { startMsOf } from '../../ui/use-elapsed.ts'

/** The progress of a run, with a button to stop it. */
export function RunProgress({ run }: { run: RunInFull }) {
  const queryClient = useQueryClient()
  const [startMs] = useState(() => startMsOf(run.runAt))
  const stop = useMutation({
    mutationFn: () => stopRun(run.id),
    onSettled: () => queryClient.invalidateQueries(runOptions(run.id)),
  })
  // If the run ended before it could be stopped, the page shows how.
  const hasFailed = stop.isError && !hasCode(stop.error, 'run_already_ended')
  return (
    <>
      <Progress run={run} startMs={startMs} onStop={() => stop.mutate()} />
      {hasFailed && <Problem title="Couldn’t stop the query" message={messageOf(stop.error)} />}
    </>
  )
}
