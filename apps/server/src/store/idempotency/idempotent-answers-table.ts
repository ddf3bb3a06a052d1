import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface RequestKey {
  apiKeyId: string
  idempotencyKey: string
}

export interface StoredAnswer {
  requestHash: Uint8Array
  status: number
  etag: string | null
  body: Uint8Array
}

/**
 * True if the key is new, or its answer has expired. Waits for a request with the same key that is being served, and takes its place if
 * that one fails.
 */
export async function claimRequestKey(
  db: Db,
  claim: RequestKey & { requestHash: Uint8Array; now: Date; expiredBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotent_answers as answer (api_key_id, idempotency_key, request_hash, created_at)
    values (${claim.apiKeyId}, ${claim.idempotencyKey}, ${claim.requestHash}, ${claim.now})
    on conflict (api_key_id, idempotency_key) do update
      set request_hash = excluded.request_hash, status = null, etag = null, body = null, created_at = excluded.created_at
      where answer.created_at <= ${claim.expiredBefore}
    returning 1 as claimed`.execute(db)
  return rows.length === 1
}

export async function readIdempotentAnswer(db: Db, key: RequestKey & { createdAfter: Date }): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'status', 'etag', 'body'])
    .where('api_key_id', '=', key.apiKeyId)
    .where('idempotency_key', '=', key.idempotencyKey)
    .where('created_at', '>', key.createdAfter)
    .executeTakeFirst()
  return row && { requestHash: row.request_hash, status: row.status!, etag: row.etag, body: row.body! }
}

export async function writeIdempotentAnswer(db: Db, answer: RequestKey & Omit<StoredAnswer, 'requestHash'>): Promise<void> {
  await db
    .updateTable('idempotent_answers')
    .set({ status: answer.status, etag: answer.etag, body: answer.body })
    .where('api_key_id', '=', answer.apiKeyId)
    .where('idempotency_key', '=', answer.idempotencyKey)
    .execute()
}

/** Returns how many were removed, at most `batchSize`. */
export async function removeOldAnswers(db: Db, options: { createdBefore: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotent_answers where (api_key_id, idempotency_key) in (
      select api_key_id, idempotency_key from idempotent_answers where created_at <= ${options.createdBefore}
      order by created_at limit ${options.batchSize} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
