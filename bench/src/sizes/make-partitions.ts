import { sql } from 'kysely'
import { sweepOfPartitions } from '@querypost/server/background-statements'
import { systemClock } from '@querypost/server/ports'
import type { Store } from '@querypost/server/store'

const dayMs = 24 * 3600_000

/** With the default retention. */
const partitioned = [
  { table: 'webhook_events', kind: 'webhook_events', keptMs: 64 * dayMs },
  { table: 'audit_log', kind: 'audit_records', keptMs: 400 * dayMs },
] as const

/**
 * Gives an empty store the partitions of one that has been used for years: its first partition is gone, and sweeps have created one after
 * the other.
 */
export async function makePartitions({ db }: Pick<Store, 'db'>, now: Date): Promise<void> {
  for (const options of partitioned) {
    await sql`drop table ${sql.table(`${options.table}_p_first`)}`.execute(db)
    for (let ms = now.getTime() - options.keptMs; ms <= now.getTime(); ms += 7 * dayMs) {
      await sweepOfPartitions({ db, clock: { ...systemClock, now: () => new Date(ms) } }, options).removeBatch()
    }
  }
}
