import { nextDueAt } from '../domain/automations/schedule.ts'
import { newId } from '../domain/ids.ts'
import type { Caller } from '../model/caller.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { insertAutomation } from '../store/automations/automations-table.ts'
import type { Tx } from '../store/db.ts'

/** The sample automation of a first start, over some of the sample queries. */
export const sampleAutomation = {
  name: 'Monday shop report',
  instructions:
    'Check the customers, products and channels of the sample shop. Summarize the latest month, the biggest changes since the last ' +
    'report, and anything unusual.',
  /** Titles of sample queries. */
  references: ['New and returning customers', 'Top products', 'Revenue by channel in a country'],
  schedule: { cron: '0 8 * * 1', timeZone: 'UTC' },
}

/** Returns the id of the automation. */
export async function seedAutomation(
  deps: { tx: Tx; clock: Clock; random: Random },
  caller: Caller,
  referenceIds: ReadonlyMap<string, string>,
): Promise<string> {
  const now = deps.clock.now()
  const { organizationId, userId } = caller
  const { name, instructions, schedule } = sampleAutomation
  const id = newId(deps.random, 'automation')
  await insertAutomation(deps.tx, {
    id,
    organizationId,
    name,
    instructions,
    agent: 'digest',
    createdBy: userId,
    enabled: true,
    strict: false,
    schedule,
    nextDueAt: nextDueAt(schedule, now),
    condition: null,
    referenceIds: sampleAutomation.references.map((title) => referenceIds.get(title)!),
    now,
  })
  return id
}
