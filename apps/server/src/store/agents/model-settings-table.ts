import type { ModelProvider } from '../../model/model-settings.ts'
import type { Db, Tx } from '../db.ts'

/** Model settings as stored. The API key is sealed; null if the server needs none. */
export interface StoredModelSettings {
  provider: ModelProvider
  baseUrl: string
  model: string
  apiKey: Uint8Array | null
  updatedAt: Date
}

export async function findModelSettings(db: Db | Tx, organizationId: string): Promise<StoredModelSettings | undefined> {
  return one(db, organizationId).executeTakeFirst()
}

/** Locks the settings against changes until the transaction ends. */
export async function lockModelSettings(tx: Tx, organizationId: string): Promise<StoredModelSettings | undefined> {
  return one(tx, organizationId).forUpdate().executeTakeFirst()
}

export async function writeModelSettings(
  db: Db | Tx,
  settings: StoredModelSettings & { organizationId: string; updatedBy: string },
): Promise<void> {
  const content = {
    provider: settings.provider,
    base_url: settings.baseUrl,
    model: settings.model,
    api_key: settings.apiKey,
    updated_by: settings.updatedBy,
    updated_at: settings.updatedAt,
  }
  await db
    .insertInto('model_settings')
    .values({ organization_id: settings.organizationId, ...content })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(content))
    .execute()
}

/** Removing missing settings succeeds. */
export async function removeModelSettings(db: Db | Tx, organizationId: string): Promise<void> {
  await db.deleteFrom('model_settings').where('organization_id', '=', organizationId).execute()
}

const one = (db: Db | Tx, organizationId: string) =>
  db
    .selectFrom('model_settings')
    .select(['provider', 'base_url as baseUrl', 'model', 'api_key as apiKey', 'updated_at as updatedAt'])
    .where('organization_id', '=', organizationId)
