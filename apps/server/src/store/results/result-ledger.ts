import type { Db } from '../db.ts'
import { beginResult, finishResult, noteUpload } from './begin-and-finish.ts'
import { findLeftovers, forgetResults } from './leftovers.ts'
import { findResult } from './find-result.ts'
import { holdResults } from './hold-results.ts'
import { insertWholeResult } from './insert-whole-result.ts'
import { markResultsRemoved } from './mark-removed.ts'

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
