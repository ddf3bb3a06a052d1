import type { Db, Tx } from '../db.ts'

export async function hasModelSettings(db: Db | Tx, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('model_settings')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row !== undefined
}
