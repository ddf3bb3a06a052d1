import type { Log } from '../../../ports/log.ts'
import { recordConditionState } from '../../../store/automations/conditions.ts'
import { type DueWatcher, readDueWatchers, type WatcherPosition, writeNextDueAt } from '../../../store/automations/due-times.ts'
import type { FindMember } from '../../../store/people/find-member.ts'
import { Refusal } from '../../refusal.ts'
import { runReference, type StartRunDeps } from '../../runs/start-run.ts'
import { yieldToEventLoop } from '../../../ports/yield-to-event-loop.ts'
import { nextTimesOf } from '../claim-due-times.ts'
import { failAlert } from '../alerts/evaluate-alert.ts'
import { unjudged } from './judge.ts'

export interface AskDeps extends StartRunDeps {
  log: Log
  findMember: FindMember
  baseUrl: string
}

const batchCount = 50

/**
 * Handles the due times of automations with a condition: requests a new result of the watched reference, which is evaluated when it
 * arrives. The due time is advanced afterwards. If a worker dies in between, the time stays due and the next worker requests a
 * result again: an extra result does no harm, a missing one would.
 */
export async function requestResults(deps: AskDeps, control: { isStopping(): boolean }): Promise<void> {
  let after: WatcherPosition = { dueAt: new Date(0), id: '' }
  while (!control.isStopping()) {
    const batch = await readDueWatchers(deps.db, { after, count: batchCount })
    for (const watcher of batch) {
      await yieldToEventLoop()
      if (control.isStopping()) return
      try {
        await ask(deps, watcher)
        const { id: automationId, dueAt } = watcher
        await writeNextDueAt(deps.db, [{ automationId, dueAt, nextAt: nextTimesOf(deps, watcher).nextAt }])
      } catch (error) {
        deps.log.error({ err: error, automationId: watcher.id }, 'requesting a due result failed')
      }
    }
    if (batch.length < batchCount) return
    after = batch.at(-1)!
  }
}

async function ask(deps: AskDeps, watcher: DueWatcher): Promise<void> {
  const { id: automationId, condition, conditionState: previous } = watcher
  try {
    await startRun(deps, watcher)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A run started by someone else is in progress, and its result will be evaluated too.
    if (error.code === 'query_already_running') return
    const finding = `Could not request a new result. ${error.message}`
    deps.log.warn({ automationId, code: error.code, finding }, 'condition has no new result')
    if (condition.kind === 'alert') return failAlert(deps, { automationId, organizationId: watcher.organizationId, condition }, finding)
    const { state } = unjudged({ finding, previous, now: deps.clock.now() })
    await recordConditionState(deps.db, { automationId, condition, state })
  }
}

/** On behalf of the automation's creator. */
async function startRun(deps: AskDeps, { id, organizationId, createdBy: userId, condition }: DueWatcher): Promise<void> {
  const member = await deps.findMember({ organizationId, userId })
  if (!member) {
    const message = 'The person who created this automation is no longer in the organization. Create it again under your own name.'
    throw new Refusal('forbidden', message)
  }
  await runReference(deps, { organizationId, userId, role: member.role, triggerId: id }, { shortId: condition.reference })
}
