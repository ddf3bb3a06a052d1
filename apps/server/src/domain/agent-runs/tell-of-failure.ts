import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findConcernedMembers, previousEndOf } from '../../store/agent-runs/concerned-people.ts'
import type { LockedAgentRun } from '../../store/agent-runs/locked-agent-run.ts'
import type { Tx } from '../../store/db.ts'
import { notify } from '../notifications/notify.ts'
import { shortened } from '../shortened.ts'

const reasonMaxCharacters = 500

/**
 * Tells who made the automation, and who asked for the run, that it failed. Of several failures in a row the first is told, so
 * that an automation which fails every minute does not fill anybody's day. What people stopped says nothing about the automation
 * and is no part of such a row. Nobody is told of what they stopped themselves.
 */
export async function tellOfFailure(
  deps: { tx: Tx; clock: Clock; random: Random },
  run: LockedAgentRun,
  failure: { reason: string; stoppedBy: string | null },
): Promise<void> {
  if (run.automationId === null) return
  const wasStopped = failure.stoppedBy !== null
  const before = { automationId: run.automationId, runId: run.id, withStopped: wasStopped }
  if ((await previousEndOf(deps.tx, before)) === 'failed') return
  const { organizationId } = run
  const members = await findConcernedMembers(deps.tx, {
    organizationId,
    userOrKeyIds: [run.automationCreatedBy!, run.triggerId],
  })
  const again = wasStopped ? '' : ' You are told again when it fails after a success.'
  const reason = shortened(failure.reason, reasonMaxCharacters)
  for (const userId of members.filter((member) => member !== failure.stoppedBy)) {
    await notify(deps, {
      organizationId,
      userId,
      kind: 'run_failed',
      message: `The automation “${run.automationName}” did not finish. ${reason}${again}`,
      link: `/chats/${run.chatShortId}`,
    })
  }
}
