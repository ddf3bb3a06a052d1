import { sql } from 'kysely'
import type { ArchivePlaceName, ChainLink } from '../../model/history.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

/** An object that can be used. */
const isUsable = sql`written_at is not null and removed_at is null`

export async function findObjectByContent(
  db: Db,
  key: { organizationId: string; contentHash: string },
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from archive_objects
    where organization_id = ${key.organizationId} and content_hash = ${key.contentHash} and ${isUsable}
    order by id limit 1`.execute(db)
  return rows[0]
}

export interface BaseObject {
  id: string
  keyId: string
  /** The stored size of the whole document at the beginning of the chain. */
  keyBytes: number
  chainLength: number
  chainBytes: number
}

/**
 * The newest kept result of a query's references, to build a difference on. One with the same values of the parameters comes first,
 * because it is the most similar. Undefined if there is none.
 */
export async function findBaseObject(db: Db, { runId }: { runId: string }): Promise<BaseObject | undefined> {
  const { rows } = await sql<BaseObject>`
    select object.id, object.key_id as "keyId", whole.stored_bytes as "keyBytes", object.chain_length as "chainLength",
      object.chain_bytes as "chainBytes"
    from runs as run
    join query_references as reference on reference.query_id = run.query_id and reference.deleted_at is null
    cross join lateral (
      select object_id, parameter_values, at from archived_results
      where reference_id = reference.id and removed_at is null and object_id is not null
      order by at desc, run_id desc
      limit ${basesConsidered}) as kept
    join archive_objects as object on object.id = kept.object_id and object.written_at is not null and object.removed_at is null
    join archive_objects as whole on whole.id = object.key_id and whole.written_at is not null and whole.removed_at is null
    where run.id = ${runId}
    order by (kept.parameter_values = run.parameter_values) desc, kept.at desc, object.id
    limit 1`.execute(db)
  return rows[0]
}

/** How many of the newest results may have the same values. */
const basesConsidered = 20

/**
 * Locks the chain of an object until the transaction ends, so that it is not removed. False if the object can no longer be used. Everything
 * that begins to use an object, or removes one, locks the first object of the chain and then looks.
 */
export async function lockChain(tx: Tx, { objectId }: { objectId: string }): Promise<boolean> {
  await sql`
    select id from archive_objects
    where id = (select key_id from archive_objects where id = ${objectId}) for update`.execute(tx)
  const { rows } = await sql`select id from archive_objects where id = ${objectId} and ${isUsable}`.execute(tx)
  return rows.length === 1
}

export interface NewObject {
  id: string
  organizationId: string
  contentHash: string
  /** Null for a whole document. */
  base: BaseObject | null
  place: ArchivePlaceName
  documentBytes: number
  /** The size of a difference; 0 for a whole document, which is not part of `chainBytes`. */
  differenceBytes: number
}

/** Records that an object is about to be written. False if its base can no longer be used. */
export async function beginObject(db: Db, object: NewObject): Promise<boolean> {
  const { id, base } = object
  return db.transaction().execute(async (tx) => {
    if (base && !(await lockChain(tx, { objectId: base.id }))) return false
    await tx
      .insertInto('archive_objects')
      .values({
        id,
        organization_id: object.organizationId,
        content_hash: object.contentHash,
        key_id: base?.keyId ?? id,
        base_id: base?.id ?? null,
        chain_length: base ? base.chainLength + 1 : 0,
        chain_bytes: base ? base.chainBytes + object.differenceBytes : 0,
        place: object.place,
        document_bytes: object.documentBytes,
        created_at: storeNow,
      })
      .execute()
    return true
  })
}

export async function noteObjectUpload(db: Db, options: { objectId: string; uploadId: string }): Promise<void> {
  await db.updateTable('archive_objects').set({ upload_id: options.uploadId }).where('id', '=', options.objectId).execute()
}

/** Makes an object usable. False if it was removed, because its writer was considered dead. */
export async function finishObject(tx: Tx, options: { objectId: string; storedBytes: number }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('archive_objects')
    .set({ stored_bytes: options.storedBytes, written_at: storeNow, upload_id: null })
    .where('id', '=', options.objectId)
    .where('written_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The objects from the beginning of the chain to this one. Empty if it can no longer be read. */
export async function readChain(db: Db, objectId: string): Promise<ChainLink[]> {
  const { rows } = await sql<ChainLink>`
    with recursive link as (
      select * from archive_objects where id = ${objectId} and ${isUsable}
      union all
      select base.* from link join archive_objects as base on base.id = link.base_id)
    select id, place, stored_bytes as "storedBytes", document_bytes as "documentBytes", content_hash as "contentHash"
    from link order by chain_length`.execute(db)
  return rows
}
