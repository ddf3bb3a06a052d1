import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, messageOf } from '../../api/request.ts'
import { type RunInFull, runOptions, stopRun } from '../../api/runs.ts'
import { Progress } from '../../results/progress.tsx'
import { Problem } from '../../ui/notice.tsx'
import { startMsOf } from '../../ui/use-elapsed.ts'

/** A run that goes on, and the way to end it. */
export function RunProgress({ run }: { run: RunInFull }) {
  const queryClient = useQueryClient()
  const [startMs] = useState(() => startMsOf(run.runAt))
  const stop = useMutation({
    mutationFn: () => stopRun(run.id),
    onSettled: () => queryClient.invalidateQueries(runOptions(run.id)),
  })
  // It ended by itself in the meantime, and the page says how.
  const hasFailed = stop.isError && !hasCode(stop.error, 'run_already_ended')
  return (
    <>
      <Progress run={run} startMs={startMs} onStop={() => stop.mutate()} />
      {hasFailed && <Problem title="It could not be stopped" message={messageOf(stop.error)} />}
    </>
  )
}
