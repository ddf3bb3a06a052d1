import { useMutation } from '@tanstack/react-query'
import { LoaderCircle, Square } from 'lucide-react'
import { useState } from 'react'
import { type AgentRun, stopAutomationRun } from '../../api/automation-runs.ts'
import { type Chat, stopAnswer } from '../../api/chats.ts'
import { hasCode, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { duration } from '../../ui/time.tsx'
import { startMsOf, useElapsedMs } from '../../ui/use-elapsed.ts'
import { isAnswering } from './chat-state.ts'
import type { Exchange } from './exchanges.ts'
import { progressLabel } from './progress-label.ts'

/** Shows what an agent is doing and for how long it has worked, with a button to stop it. Keyed by run. */
export function AgentProgress({ chat, run, exchange }: { chat: Chat; run: AgentRun; exchange: Exchange | undefined }) {
  const [startMs] = useState(() => startMsOf(run.requestedAt))
  const elapsedMs = useElapsedMs(startMs)
  const stopping = useMutation({
    mutationFn: async () => {
      try {
        await (isAnswering(chat) ? stopAnswer(chat.shortId) : stopAutomationRun(run.id))
      } catch (error) {
        // The run ended before it could be stopped, and the chat shows how.
        if (!hasCode(error, 'run_already_ended')) throw error
      }
    },
  })
  const isStopRequested = stopping.isPending || stopping.isSuccess
  const label = isStopRequested ? 'Stopping…' : progressLabel(run, exchange?.draft ?? exchange?.steps.at(-1))
  return (
    <>
      <div className="flex items-center gap-3 rounded-lg bg-accent-wash px-4 py-2.5">
        <LoaderCircle className="size-4 shrink-0 animate-spin text-accent" aria-hidden="true" />
        <span role="status" className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
        <span className="mr-auto shrink-0 text-soft tabular-nums">{duration(Math.floor(elapsedMs / 100) * 100)}</span>
        <Button size="small" icon={<Square />} onClick={() => stopping.mutate()} disabled={isStopRequested}>Stop</Button>
      </div>
      {stopping.isError && <Problem message={messageOf(stopping.error)} />}
    </>
  )
}
