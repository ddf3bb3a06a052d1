import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LoaderCircle, Square } from 'lucide-react'
import { isAtWork, stopAutomationRun } from '../../api/automation-runs.ts'
import { type Automation, automationsKey } from '../../api/automations.ts'
import { hasCode, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** The run in progress, if any, with a link to its steps and a stop button. */
export function CurrentRun({ automation }: { automation: Automation }) {
  const { latestRun } = automation
  if (!latestRun || !isAtWork(latestRun)) return null
  return <RunProgress key={latestRun.id} run={latestRun} />
}

function RunProgress({ run }: { run: NonNullable<Automation['latestRun']> }) {
  const client = useQueryClient()
  const stopping = useMutation({
    mutationFn: async () => {
      try {
        await stopAutomationRun(run.id)
      } catch (error) {
        if (!hasCode(error, 'run_already_ended')) throw error
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: automationsKey }),
  })
  const isStopRequested = stopping.isPending || stopping.isSuccess
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-accent-wash px-4 py-2.5">
        <LoaderCircle className="size-4 shrink-0 animate-spin text-accent" aria-hidden="true" />
        <span role="status">{isStopRequested ? 'Stopping…' : 'A run is in progress.'}</span>
        <TextLink href={new URL(run.chatUrl).pathname} className="mr-auto">View steps</TextLink>
        <Button size="small" icon={<Square />} disabled={isStopRequested} onClick={() => stopping.mutate()}>
          Stop
        </Button>
      </div>
      {stopping.isError && <Problem message={messageOf(stopping.error)} />}
    </div>
  )
}
