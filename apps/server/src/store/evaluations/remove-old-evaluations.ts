import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Removes a batch of evaluations that ended before, with their answers. The newest `keptCount` of each set stay. */
export async function removeOldEvaluations(
  db: Db,
  options: { endedBefore: Date; keptCount: number; batchSize: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from evaluations where id = any (array(
      select evaluation.id from evaluations as evaluation
      where evaluation.ended_at < ${options.endedBefore}
        and (
          select count(*) from (
            select from evaluations as newer
            where newer.question_set_id = evaluation.question_set_id
              and (newer.requested_at, newer.id) > (evaluation.requested_at, evaluation.id)
            limit ${options.keptCount}) as newer) >= ${options.keptCount}
      order by evaluation.ended_at
      limit ${options.batchSize}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
