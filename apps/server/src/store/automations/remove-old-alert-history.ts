import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'

const alertsAtOnce = 500
const changesAtOnce = 1000

interface Options {
  before: Date
  /** The newest changes of each alert stay, however old they are. */
  keptCount: number
}

/** Removes old changes of alerts, and the messages that announced them. */
export function removeOldAlertHistory(db: Db, options: Options & { now: Date }): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'alert history', now: options.now }, async (tx, afterId) => {
    const { rows: walked } = await sql<{ id: string; isLong: boolean }>`
      select id, alert_number > ${options.keptCount} as "isLong" from automations
      where id > ${afterId ?? ''} order by id limit ${alertsAtOnce}`.execute(tx)
    const ids = walked.filter(({ isLong }) => isLong).map(({ id }) => id)
    const changes = await removeChanges(tx, ids, options)
    // Messages follow when all their changes are gone.
    if (changes === changesAtOnce) return { rows: changes, nextAfterId: afterId ?? '' }
    const messages = await removeMessages(tx, ids, options)
    return { rows: changes + messages, nextAfterId: walked.length < alertsAtOnce ? null : walked.at(-1)!.id }
  })
}

async function removeChanges(tx: Tx, automationIds: string[], { before, keptCount }: Options): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from alert_changes as change
    using (
      select old.automation_id, old.number
      from alert_changes as old join automations as automation on automation.id = old.automation_id
      where old.automation_id = any (${automationIds}::text[]) and old.number <= automation.alert_number - ${keptCount}::integer
        and old.at < ${before}
      limit ${changesAtOnce}) as removed
    where change.automation_id = removed.automation_id and change.number = removed.number`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** The changes that a message announced have lower numbers and are older, so none of them is left. */
async function removeMessages(tx: Tx, automationIds: string[], { before, keptCount }: Options): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from alert_messages as message using automations as automation
    where automation.id = message.automation_id and message.automation_id = any (${automationIds}::text[])
      and message.number <= automation.alert_number - ${keptCount}::integer and message.at < ${before}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
