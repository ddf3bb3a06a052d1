import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { beginResult, finishResult, noteUpload } from './begin-and-finish.ts'
import { findResult } from './find-result.ts'
import { findLeftovers, forgetResults } from './leftovers.ts'
import { pieceRows } from './pieces.ts'

/**
 * What stands in the database about results that processes share. Requests ask for them by `db`; whoever writes and
 * removes them works in the background.
 */
export function makeResultLedger({ db, backgroundDb }: { db: Db; backgroundDb: Db }) {
  return {
    begin: (options: Parameters<typeof beginResult>[1]) => beginResult(backgroundDb, options),
    noteUpload: (options: Parameters<typeof noteUpload>[1]) => noteUpload(backgroundDb, options),
    finish: (options: Parameters<typeof finishResult>[1]) => finishResult(backgroundDb, options),
    insertWhole: (options: Parameters<typeof insertWholeResult>[1]) => insertWholeResult(backgroundDb, options),
    find: (runId: string) => findResult(db, runId),
    hold: (options: Parameters<typeof holdResults>[1]) => holdResults(backgroundDb, options),
    markRemoved: (options: Parameters<typeof markResultsRemoved>[1]) => markResultsRemoved(backgroundDb, options),
    leftovers: (options: Parameters<typeof findLeftovers>[1]) => findLeftovers(backgroundDb, options),
    forget: (runIds: string[]) => forgetResults(backgroundDb, runIds),
  }
}

/** Says until when the bytes of results are needed. Never takes back what another has said. */
async function holdResults(db: Db, options: { runIds: string[]; until: Date }): Promise<void> {
  await sql`${prepared}
    update results set held_until = ${options.until}
    where run_id = any(${options.runIds}) and held_until < ${options.until}`.execute(db)
}

/**
 * A small result and all its bytes in one statement: it is on the way of every refresh, and there is nothing to clean
 * up after it.
 */
async function insertWholeResult(
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

/** From now on they cannot be opened. Locked in the order of their ids, so that two processes cannot end in a deadlock. */
async function markResultsRemoved(db: Db, options: { runIds: string[]; removedAt: Date }): Promise<void> {
  await sql`
    update results set removed_at = ${options.removedAt}
    where run_id in (
      select run_id from results where run_id = any(${options.runIds}::text[]) and removed_at is null
      order by run_id for update)`.execute(db)
}
