import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { beginResult, finishResult, noteUpload, type ResultPlace } from './begin-and-finish.ts'
import { findResult } from './find-result.ts'
import { findLeftovers, forgetResults } from './leftovers.ts'
import { pieceRows } from './pieces.ts'

/**
 * The ledger of shared results in the database. Requests read it through `db`; writing and removing results is background work.
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

/** Extends holds on results. Never shortens a hold of another process. */
async function holdResults(db: Db, options: { runIds: string[]; until: Date }): Promise<void> {
  await sql`${prepared}
    update results set held_until = ${options.until}
    where run_id = any(${options.runIds}) and held_until < ${options.until}`.execute(db)
}

/**
 * Stores a small result and all its bytes in one statement, because every refresh waits for it, and because it leaves nothing to
 * clean up.
 */
async function insertWholeResult(
  db: Db,
  options: { runId: string; place: ResultPlace; bytes: Buffer; writtenAt: Date },
): Promise<void> {
  const { runId, place, bytes, writtenAt } = options
  await sql`
    with whole as (
      insert into results (run_id, place, size_bytes, written_at, held_until)
      values (${runId}, ${place}, ${bytes.length}, ${writtenAt}, ${writtenAt}))
    insert into result_pieces (run_id, number, bytes)
    values ${pieceRows(db, { id: runId, offset: 0, bytes })}`.execute(db)
}

/** Makes results unavailable. Locks them in id order, so that two processes cannot deadlock. */
async function markResultsRemoved(db: Db, options: { runIds: string[]; removedAt: Date }): Promise<void> {
  await sql`
    update results set removed_at = ${options.removedAt}
    where run_id in (
      select run_id from results where run_id = any(${options.runIds}::text[]) and removed_at is null
      order by run_id for update)`.execute(db)
}
