import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { pieceRows } from './pieces.ts'

/**
 * A small result and all its bytes in one statement: it is on the way of every refresh, and there is nothing to clean
 * up after it.
 */
export async function insertWholeResult(
  db: Db,
  options: { runId: string; bytes: Buffer; writtenAt: Date },
): Promise<void> {
  const { runId, bytes, writtenAt } = options
  await sql`
    with whole as (
      insert into results (run_id, place, size_bytes, written_at, held_until)
      values (${runId}, 'postgres', ${bytes.length}, ${writtenAt}, ${writtenAt}))
    insert into result_pieces (run_id, number, bytes)
    values ${pieceRows(db, { runId, offset: 0, bytes })}`.execute(db)
}
