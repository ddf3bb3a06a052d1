import type { Log } from '../../../ports/log.ts'
import { recordFinding } from '../../../store/automations/conditions.ts'
import { type DueWatcher, readDueWatchers, type WatcherPlace, writeNextDueAt } from '../../../store/automations/due-times.ts'
import type { FindMember } from '../../../store/people/find-member.ts'
import { Refusal } from '../../refusal.ts'
import { runReference, type StartRunDeps } from '../../runs/start-run.ts'
import { yieldToEventLoop } from '../../../ports/yield-to-event-loop.ts'
import { nextTimesOf } from '../claim-due-times.ts'
import { unjudged } from './judge.ts'

export interface AskDeps extends StartRunDeps {
  log: Log
  findMember: FindMember
}

const batchCount = 50

/**
 * What a due time does for an automation with a condition: a new result of the watched reference is asked for, and judged when
 * it is there. The time moves on after that. A worker that dies in between leaves it due, and the next one asks again: a
 * result too many is judged like any other, and one too few would not be.
 */
export async function askForResults(deps: AskDeps, control: { isStopping(): boolean }): Promise<void> {
  let after: WatcherPlace = { dueAt: new Date(0), id: '' }
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
        deps.log.error({ err: error, automationId: watcher.id }, 'could not ask for a result that is due; trying again')
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
    // Somebody else's run of it is under way, and its result will be judged too.
    if (error.code === 'query_already_running') return
    const finding = `No new result could be asked for. ${error.message}`
    deps.log.warn({ automationId, code: error.code, finding }, 'a condition has no new result to be judged by')
    const { state } = unjudged({ finding, previous, now: deps.clock.now() })
    await recordFinding(deps.db, { automationId, condition, state })
  }
}

/** With the eyes of whoever made the automation. */
async function startRun(deps: AskDeps, { id, organizationId, createdBy: userId, condition }: DueWatcher): Promise<void> {
  const member = await deps.findMember({ organizationId, userId })
  if (!member) {
    const message = 'Whoever made this automation is no longer in the organization. Make it anew under your name.'
    throw new Refusal('forbidden', message)
  }
  await runReference(deps, { organizationId, userId, role: member.role, triggerId: id }, { shortId: condition.reference })
}
