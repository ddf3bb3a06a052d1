import { sql } from 'kysely'
import type { ReferenceChange } from '../../model/change-feed.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

interface ReferenceKey {
  organizationId: string
  referenceId: string
}

/** The primary key rejects a number that is taken, whatever the caller believes. */
export async function insertChange(tx: Tx, { organizationId, referenceId, change }: ReferenceKey & { change: ReferenceChange }): Promise<void> {
  await tx
    .insertInto('reference_changes')
    .values({
      reference_id: referenceId,
      number: change.number,
      organization_id: organizationId,
      at: change.at,
      from_run_id: change.fromRunId,
      to_run_id: change.toRunId,
      from_result_hash: change.fromResultHash,
      to_result_hash: change.toResultHash,
      key_columns: change.keyColumns,
      is_key_unique: change.isKeyUnique,
      is_replacement: change.isReplacement,
      added: change.added,
      removed: change.removed,
      changed: change.changed,
      recorded_at: storeNow,
    })
    .execute()
}

/** The changes after a number, oldest first. */
export function readChangesAfter(db: Db, key: ReferenceKey & { after: number; count: number }): Promise<ReferenceChange[]> {
  return changesOf(db, key).where('number', '>', key.after).orderBy('number').limit(key.count).execute()
}

/** The newest changes, newest first. */
export function readLatestChanges(db: Db, key: ReferenceKey & { count: number }): Promise<ReferenceChange[]> {
  return changesOf(db, key).orderBy('number', 'desc').limit(key.count).execute()
}

export function findChange(db: Db, key: ReferenceKey & { number: number }): Promise<ReferenceChange | undefined> {
  return changesOf(db, key).where('number', '=', key.number).executeTakeFirst()
}

/** Removes old changes, the oldest first, so that those of a reference never have a gap. The newest one of each stays. */
export async function removeOldChanges(db: Db, options: { recordedBefore: Date; batchSize: number }): Promise<number> {
  const removed = await sql`
    delete from reference_changes where (reference_id, number) in (
      select change.reference_id, change.number
      from reference_changes as change join change_feeds as feed on feed.reference_id = change.reference_id
      where change.recorded_at < ${options.recordedBefore} and change.number < feed.latest_number
      order by change.recorded_at, change.number
      limit ${options.batchSize} for update of change skip locked)`.execute(db)
  return Number(removed.numAffectedRows ?? 0n)
}

const changesOf = (db: Db, { organizationId, referenceId }: ReferenceKey) =>
  db
    .selectFrom('reference_changes')
    .select([
      'number',
      'at',
      'from_run_id as fromRunId',
      'to_run_id as toRunId',
      'from_result_hash as fromResultHash',
      'to_result_hash as toResultHash',
      'key_columns as keyColumns',
      'is_key_unique as isKeyUnique',
      'is_replacement as isReplacement',
      'added',
      'removed',
      'changed',
    ])
    .where('reference_id', '=', referenceId)
    .where('organization_id', '=', organizationId)
