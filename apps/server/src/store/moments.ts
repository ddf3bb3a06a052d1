import { sql } from 'kysely'
import { batchedLookup } from './batched-lookup.ts'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'

/** Names the state of the database at a moment after it was asked for. Equal names, equal state. */
export type Moment = () => Promise<string>

/**
 * A snapshot says which transactions had committed. While it stays the same, no statement can see anything new; once a
 * transaction has committed it never comes back. It needs no table and takes no lock, so it costs a fraction of any lookup.
 * The server's start is part of the name, since after a failover the same transaction ids may be given out a second time.
 */
export const momentOfStatement = sql<string>`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`

export function makeMoments(db: Db): Moment {
  // Every request asks for it, so the text is made once.
  const question = sql<{ moment: string }>`${prepared} select ${momentOfStatement} as moment`.compile(db)
  const read = batchedLookup<'now', string>({
    async read() {
      const { rows } = await db.executeQuery(question)
      return new Map([['now', rows[0]!.moment]])
    },
  })
  return async () => (await read('now'))!
}
