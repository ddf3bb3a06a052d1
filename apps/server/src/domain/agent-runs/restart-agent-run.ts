import { lockAgentRun, type LockedAgentRun, type ExpectedState, writeAgentRunPending } from '../../store/agent-runs/locked-agent-run.ts'
import { addMessage } from '../../store/chats/add-message.ts'
import { closeOpenSteps } from '../../store/chats/close-open-steps.ts'
import type { Tx } from '../../store/db.ts'
import { type EndingDeps, writeEnding } from './end-agent-run.ts'
import { agentRunAttemptsMax, diedNote, exhaustedReason, shutdownNote, stoppedReason } from './agent-run-outcome.ts'

/**
 * Makes an abandoned run pending again and notes it in the chat. The run fails instead if someone asked to stop it, or if its process died
 * on every attempt. Returns undefined when `while` no longer holds.
 */
export async function restartAgentRun(
  deps: EndingDeps,
  input: { runId: string; while: ExpectedState; why: 'died' | 'shutdown' },
): Promise<'pending' | 'failed' | undefined> {
  return deps.db.transaction().execute(async (tx) => {
    const run = await lockAgentRun(tx, input.runId, input.while)
    if (!run) return undefined
    const ending = mustEnd(run, input.why)
    if (ending) await writeEnding(deps, tx, run, { status: 'failed', ...ending })
    else await writePending(deps, tx, run, input.why)
    return ending ? 'failed' : 'pending'
  })
}

function mustEnd(run: LockedAgentRun, why: 'died' | 'shutdown'): { reason: string; stoppedBy?: string } | undefined {
  const stopper = run.stopRequestedBy
  if (stopper) return { reason: stoppedReason(stopper.name), stoppedBy: stopper.id }
  return why === 'died' && run.attemptCount >= agentRunAttemptsMax ? { reason: exhaustedReason } : undefined
}

async function writePending(deps: EndingDeps, tx: Tx, run: LockedAgentRun, why: 'died' | 'shutdown'): Promise<void> {
  const message = { chatId: run.chatId, agentRunId: run.id, now: deps.clock.now() }
  const text = why === 'died' ? diedNote : shutdownNote
  await closeOpenSteps(tx, { ...message, reason: text })
  await addMessage(tx, { ...message, userId: null, content: { kind: 'note', text } })
  await writeAgentRunPending(tx, { runId: run.id, countsAttempt: why === 'died' })
}
