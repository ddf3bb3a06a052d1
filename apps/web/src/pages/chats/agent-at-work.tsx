import { useState } from 'react'
import { type AgentRun, stopAutomationRun } from '../../api/automation-runs.ts'
import { type Chat, stopAnswer } from '../../api/chats.ts'
import { hasCode } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { duration } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { startMsOf, useElapsedMs } from '../../ui/use-elapsed.ts'
import { isAnswering } from './chat-state.ts'

/** That an agent is at work, for how long, and the way to stop it. Is made anew for each run. */
export function AgentAtWork({ chat, run }: { chat: Chat; run: AgentRun }) {
  const [startMs] = useState(() => startMsOf(run.requestedAt))
  const elapsedMs = useElapsedMs(startMs)
  const stopping = useAction()
  const [isStopAsked, setIsStopAsked] = useState(false)
  const stop = () =>
    stopping.run(async () => {
      try {
        await (isAnswering(chat) ? stopAnswer(chat.shortId) : stopAutomationRun(run.id))
        setIsStopAsked(true)
      } catch (error) {
        // It ended by itself in the meantime, and the chat says how.
        if (!hasCode(error, 'run_already_ended')) throw error
      }
    })
  const words = isStopAsked ? 'Stopping …' : run.status === 'pending' ? 'Waiting to start …' : 'The agent is at work …'
  return (
    <>
      <div className="notice progress">
        <span className="spinner" aria-hidden="true" />
        <span role="status">{words}</span>
        <span className="soft number">{duration(Math.floor(elapsedMs / 100) * 100)}</span>
        <Button onClick={stop} disabled={stopping.isBusy || isStopAsked}>Stop</Button>
      </div>
      {stopping.message !== undefined && <Problem message={stopping.message} />}
    </>
  )
}
