import { type RawBuilder, sql } from 'kysely'
import type { Role } from '../../model/people.ts'
import type { Db, Tx } from '../db.ts'

/** How one organization of a person wants its members to sign in. */
export interface EntryPolicy {
  organizationId: string
  role: Role
  secondFactorRequired: boolean
  ssoRequired: boolean
}

/** For all organizations of the user, in the order they were joined. */
export const readEntryPolicies = (db: Db | Tx, userId: string): Promise<EntryPolicy[]> => selectPolicies(db, { userId }, sql``)

/**
 * The same, or only for the given organization. The lock makes a concurrent change of a policy
 * wait for the session that is being started, which the change then ends if it no longer fits.
 */
export const lockEntryPolicies = (tx: Tx, wanted: Wanted): Promise<EntryPolicy[]> =>
  selectPolicies(tx, wanted, sql`for share of organizations`)

interface Wanted {
  userId: string
  organizationId?: string | undefined
}

async function selectPolicies(db: Db | Tx, wanted: Wanted, lock: RawBuilder<unknown>): Promise<EntryPolicy[]> {
  const { rows } = await sql<EntryPolicy>`
    select organizations.id as "organizationId", memberships.role,
      organizations.second_factor_required as "secondFactorRequired", organizations.sso_required as "ssoRequired"
    from memberships join organizations on organizations.id = memberships.organization_id
    where memberships.user_id = ${wanted.userId}
      and memberships.organization_id = coalesce(${wanted.organizationId ?? null}::text, memberships.organization_id)
    order by memberships.created_at, organizations.id
    ${lock}`.execute(db)
  return rows
}

/** Ends the organization's sessions that were started with a password by people without a second factor. */
export async function endSessionsWithoutSecondFactor(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    delete from sessions
    where organization_id = ${organizationId} and method is distinct from 'oidc'
      and not exists (select from second_factors where second_factors.user_id = sessions.user_id)`.execute(tx)
}

/** Ends the organization's sessions that were started with a password, except of admins with a second factor. */
export async function endSessionsWithoutSso(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    delete from sessions using memberships
    where sessions.organization_id = ${organizationId} and method is distinct from 'oidc'
      and memberships.organization_id = sessions.organization_id and memberships.user_id = sessions.user_id
      and not (memberships.role = 'admin'
        and exists (select from second_factors where second_factors.user_id = sessions.user_id))`.execute(tx)
}

/** Whether an admin of the organization has signed in with this provider. */
export async function hasAdminWithIdentity(db: Db | Tx, options: { organizationId: string; issuer: string }): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('oidc_identities', 'oidc_identities.user_id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('memberships.organization_id', '=', options.organizationId)
    .where('memberships.role', '=', 'admin')
    .where('oidc_identities.issuer', '=', options.issuer)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
