import type { Organization } from '../../model/people.ts'
import type { Db } from '../db.ts'

export async function findOrganization(db: Db, organizationId: string): Promise<Organization | undefined> {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'webhooks_enabled as webhooksEnabled'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
}

export async function setWebhooksEnabled(db: Db, organizationId: string, webhooksEnabled: boolean): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ webhooks_enabled: webhooksEnabled })
    .where('id', '=', organizationId)
    .execute()
}

export async function setOrganizationName(db: Db, organizationId: string, name: string): Promise<void> {
  await db.updateTable('organizations').set({ name }).where('id', '=', organizationId).execute()
}
