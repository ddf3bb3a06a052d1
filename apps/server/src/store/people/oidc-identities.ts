import type { Db, Tx } from '../db.ts'

export interface OidcIdentity {
  issuer: string
  subject: string
}

export async function findUserByIdentity(db: Db, identity: OidcIdentity): Promise<string | undefined> {
  const row = await db
    .selectFrom('oidc_identities')
    .select('user_id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  return row?.user_id
}

export async function bindIdentity(
  tx: Tx,
  { issuer, subject, userId, now }: OidcIdentity & { userId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('oidc_identities')
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute()
}

/** Whether the user is already bound to an identity of this provider. */
export async function hasIdentity(db: Db, options: { issuer: string; userId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('oidc_identities')
    .select('user_id')
    .where('issuer', '=', options.issuer)
    .where('user_id', '=', options.userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The organization created at first start, which users of the allowed domains join. */
export async function findFirstOrganization(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
