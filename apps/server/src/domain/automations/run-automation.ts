import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { automationEverExisted } from '../../store/automations/automations-table.ts'
import type { Db } from '../../store/db.ts'
import type { AgentRun, AgentRunInFull } from '../../model/agent-run.ts'
import { getAutomationRun, listAutomationRuns } from '../agent-runs/agent-runs.ts'
import { requestAutomationRun } from '../agent-runs/request-automation-run.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { Refusal } from '../refusal.ts'
import { getAutomation, notFound } from './automations.ts'

/** Starts a run on request, even if the automation is paused. */
export async function runAutomation(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  automationId: string,
  request: { trigger: 'person' | 'api' },
): Promise<AgentRunInFull> {
  const automation = await getAutomation(deps, caller, automationId)
  const { clock, random } = deps
  const { triggerId } = caller
  const run = await deps.db.transaction().execute(async (tx) => {
    const requested = await requestAutomationRun({ tx, clock, random }, automation, { trigger: request.trigger, triggerId })
    // Read before the commit, after which a worker may claim it at any moment.
    return requested && getAutomationRun({ db: tx }, caller, requested.runId)
  })
  if (!run) {
    // The automation may have been deleted a moment ago.
    await getAutomation(deps, caller, automationId)
    throw new Refusal(
      'automation_already_running',
      'The automation already has a pending or running run. Wait for it to end, or stop it.',
    )
  }
  return run
}

/** Its history, newest first; also for a deleted automation. */
export async function listRunsOfAutomation(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  automationId: string,
  request: PageRequest,
): Promise<Page<AgentRun>> {
  const { organizationId } = caller
  const isKnown = isId(automationId) && (await automationEverExisted(deps.db, { organizationId, automationId }))
  if (!isKnown) return notFound(automationId)
  return readListPage(deps, {
    place: { organizationId, list: `runs of ${automationId}` },
    request,
    async read({ count, after }) {
      const runs = await listAutomationRuns(deps, caller, { automationId, count, ...(after && { before: after.id }) })
      return { rows: withKeys(runs, ({ requestedAt, id }) => ({ createdAt: requestedAt.toISOString(), id })) }
    },
  })
}
