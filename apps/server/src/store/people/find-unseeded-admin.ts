import type { Caller } from '../../model/caller.ts'
import type { Db } from '../db.ts'

/** The first admin, if no organization has an analytical database yet because the first start was interrupted. */
export async function findUnseededAdmin(db: Db): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select(['organization_id', 'user_id', 'role'])
    .where('role', '=', 'admin')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('analytical_database_configs').select('id'))))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      organizationId: row.organization_id,
      userId: row.user_id,
      role: row.role,
      triggerId: row.user_id,
    }
  )
}
