import type { Db, Tx } from '../db.ts'
import type { EndpointKey } from './endpoints-table.ts'

/** Secrets as stored: sealed for the endpoint's id. */
export interface SealedSecrets {
  secret: Uint8Array
  nextSecret: Uint8Array | null
}

export async function readSecrets(db: Db, key: EndpointKey): Promise<SealedSecrets | undefined> {
  return one(db, key).executeTakeFirst()
}

/** Locks the secrets against rotation until the transaction ends. */
export async function lockSecrets(tx: Tx, key: EndpointKey): Promise<SealedSecrets | undefined> {
  return one(tx, key).forUpdate().executeTakeFirst()
}

export async function writeSecrets(
  tx: Tx,
  endpointId: string,
  change: Partial<SealedSecrets> & { now: Date },
): Promise<void> {
  const { secret, nextSecret, now } = change
  await tx
    .updateTable('webhook_endpoints')
    .set({
      ...(secret && { secret }),
      ...(nextSecret !== undefined && { next_secret: nextSecret }),
      updated_at: now,
    })
    .where('id', '=', endpointId)
    .execute()
}

const one = (db: Db | Tx, key: EndpointKey) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['secret', 'next_secret as nextSecret'])
    .where('id', '=', key.endpointId)
    .where('organization_id', '=', key.organizationId)
    .where('deleted_at', 'is', null)
