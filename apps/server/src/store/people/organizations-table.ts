import { type CostLimits, noCostLimits } from '../../model/cost-limits.ts'
import type { Organization } from '../../model/people.ts'
import type { Db, Tx } from '../db.ts'

export async function findOrganization(db: Db, organizationId: string): Promise<Organization | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select([
      'id',
      'name',
      'webhooks_enabled as webhooksEnabled',
      'chart_palette as chartPalette',
      'public_links_enabled as publicLinksEnabled',
      'member_uploads_enabled as memberUploadsEnabled',
      'cost_limits as costLimits',
      'second_factor_required as secondFactorRequired',
      'sso_required as ssoRequired',
    ])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row && { ...row, costLimits: row.costLimits ?? noCostLimits }
}

export async function hasOtherOrganizations(db: Db, organizationId: string): Promise<boolean> {
  const other = await db.selectFrom('organizations').select('id').where('id', '<>', organizationId).limit(1).executeTakeFirst()
  return other !== undefined
}

export async function setWebhooksEnabled(db: Db, organizationId: string, webhooksEnabled: boolean): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ webhooks_enabled: webhooksEnabled })
    .where('id', '=', organizationId)
    .execute()
}

export async function setChartPalette(db: Db, organizationId: string, colors: string[] | null): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ chart_palette: colors && JSON.stringify(colors) })
    .where('id', '=', organizationId)
    .execute()
}

export async function setPublicLinksEnabled(db: Db, organizationId: string, publicLinksEnabled: boolean): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ public_links_enabled: publicLinksEnabled })
    .where('id', '=', organizationId)
    .execute()
}

export async function setMemberUploadsEnabled(db: Db, organizationId: string, memberUploadsEnabled: boolean): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ member_uploads_enabled: memberUploadsEnabled })
    .where('id', '=', organizationId)
    .execute()
}

export async function setSignInPolicy(
  tx: Tx,
  organizationId: string,
  policy: { secondFactorRequired?: boolean | undefined; ssoRequired?: boolean | undefined },
): Promise<void> {
  const { secondFactorRequired, ssoRequired } = policy
  await tx
    .updateTable('organizations')
    .set({
      ...(secondFactorRequired !== undefined && { second_factor_required: secondFactorRequired }),
      ...(ssoRequired !== undefined && { sso_required: ssoRequired }),
    })
    .where('id', '=', organizationId)
    .execute()
}

export async function setCostLimits(db: Db, organizationId: string, limits: CostLimits): Promise<void> {
  const isLimited = Object.values(limits).some((bytes) => bytes !== null)
  await db
    .updateTable('organizations')
    .set({ cost_limits: isLimited ? JSON.stringify(limits) : null })
    .where('id', '=', organizationId)
    .execute()
}

export async function findEmbedOrigins(db: Db | Tx, organizationId: string): Promise<string[]> {
  const row = await db.selectFrom('organizations').select('embed_origins').where('id', '=', organizationId).executeTakeFirst()
  return row?.embed_origins ?? []
}

export async function setEmbedOrigins(tx: Tx, organizationId: string, origins: string[]): Promise<void> {
  await tx.updateTable('organizations').set({ embed_origins: JSON.stringify(origins) }).where('id', '=', organizationId).execute()
}

export async function setOrganizationName(db: Db, organizationId: string, name: string): Promise<void> {
  await db.updateTable('organizations').set({ name }).where('id', '=', organizationId).execute()
}

export async function hasOrganization(db: Db): Promise<boolean> {
  return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function listOrganizationIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('organizations').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function insertOrganization(tx: Tx, organization: { id: string; name: string; now: Date }): Promise<void> {
  const { id, name, now } = organization
  await tx.insertInto('organizations').values({ id, name, created_at: now }).execute()
}
