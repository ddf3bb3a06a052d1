import type { ConfiguredDatabase } from '../../model/database.ts'
import type { Clock } from '../../ports/clock.ts'
import { noteDatabaseAnswer } from '../../store/databases/databases-table.ts'
import type { Db } from '../../store/db.ts'

type Answering = Pick<ConfiguredDatabase, 'id' | 'revision'>

/** How exactly a database's page knows when the database last answered a run. */
export const answersNotedEveryMs = 60_000

/**
 * Limits how often an answer is noted: once per interval for each revision of a database in this process, so that busy databases
 * don't cost a write for every run. Returns whether to note this one.
 */
export function makeAnswerFilter(deps: { clock: Pick<Clock, 'monotonicMs'> }): (database: Answering) => boolean {
  const notedAt = new Map<string, { revision: number; atMs: number }>()
  return ({ id, revision }) => {
    const nowMs = deps.clock.monotonicMs()
    const last = notedAt.get(id)
    if (last?.revision === revision && nowMs - last.atMs < answersNotedEveryMs) return false
    notedAt.set(id, { revision, atMs: nowMs })
    return true
  }
}

/** A run that the database answered counts as a test that it passed. */
export async function noteAnswered(
  deps: { db: Db; clock: Clock },
  { organizationId, id, revision }: Pick<ConfiguredDatabase, 'organizationId' | 'id' | 'revision'>,
): Promise<void> {
  await noteDatabaseAnswer(deps.db, { organizationId, configId: id }, { revision, at: deps.clock.now() })
}
