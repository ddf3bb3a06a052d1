import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findMembersToNotify, findPreviousOutcome } from '../../store/agent-runs/members-to-notify.ts'
import type { LockedAgentRun } from '../../store/agent-runs/locked-agent-run.ts'
import type { Tx } from '../../store/db.ts'
import { notify } from '../notifications/notify.ts'
import { shortened } from '../shortened.ts'

const reasonMaxCharacters = 500

/**
 * Notifies the automation's creator and the person who requested the run that it failed. Only the first of several failures in a row is reported,
 * so an automation that fails every minute does not flood anyone. Runs stopped by people do not count as failures in such a streak. Nobody
 * is notified of a run they stopped themselves.
 */
export async function notifyOfFailure(
  deps: { tx: Tx; clock: Clock; random: Random },
  run: LockedAgentRun,
  failure: { reason: string; stoppedBy: string | null },
): Promise<void> {
  if (run.automationId === null) return
  const wasStopped = failure.stoppedBy !== null
  const before = { automationId: run.automationId, runId: run.id, withStopped: wasStopped }
  if ((await findPreviousOutcome(deps.tx, before)) === 'failed') return
  const { organizationId } = run
  const members = await findMembersToNotify(deps.tx, {
    organizationId,
    userOrKeyIds: [run.automationCreatedBy!, run.triggerId],
  })
  const again = wasStopped ? '' : ' You won’t be notified of further failures until a run succeeds.'
  const reason = shortened(failure.reason, reasonMaxCharacters)
  for (const userId of members.filter((member) => member !== failure.stoppedBy)) {
    await notify(deps, {
      organizationId,
      userId,
      kind: 'run_failed',
      message: `The automation “${run.automationName}” failed. ${reason}${again}`,
      link: `/chats/${run.chatShortId}`,
    })
  }
}
