import { requestAutomationRun } from '../domain/agent-runs/request-automation-run.ts'
import { nextDueAt } from '../domain/automations/schedule.ts'
import { newId } from '../domain/ids.ts'
import type { Caller } from '../domain/people/caller.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { insertAutomation } from '../store/automations/automations.ts'
import type { Tx } from '../store/db.ts'

/** The automation that a first start shows, over some of the sample queries. */
export const sampleAutomation = {
  name: 'Monday shop report',
  instructions:
    'Look at the customers, the products and the channels of the sample shop. Say how the latest month went, what moved most ' +
    'since the last report, and what is out of the ordinary.',
  /** Titles of sample queries. */
  references: ['New and returning customers', 'Top products', 'Revenue by channel in a country'],
  schedule: { cron: '0 8 * * 1', timeZone: 'UTC' },
}

/**
 * Stores it, with a first run that a worker carries out as soon as there is one: what people see then has really happened.
 * Returns that run's id.
 */
export async function seedAutomation(
  deps: { tx: Tx; clock: Clock; random: Random },
  caller: Caller,
  referenceIds: ReadonlyMap<string, string>,
): Promise<string> {
  const now = deps.clock.now()
  const { organizationId, userId } = caller
  const { name, instructions, schedule } = sampleAutomation
  const automation = { id: newId(deps.random, 'automation'), organizationId, name, instructions, agent: 'digest' as const, createdBy: userId }
  await insertAutomation(deps.tx, {
    ...automation,
    enabled: true,
    schedule,
    nextDueAt: nextDueAt(schedule, now),
    condition: null,
    referenceIds: sampleAutomation.references.map((title) => referenceIds.get(title)!),
    now,
  })
  const requested = await requestAutomationRun(deps, automation, { trigger: 'person', triggerId: userId })
  return requested!.runId
}
