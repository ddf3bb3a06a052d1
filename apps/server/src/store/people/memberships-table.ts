import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { Role } from '../../model/people.ts'

export interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  joinedAt: Date
  hasSecondFactor: boolean
  isRoleFromProvider: boolean
}

export async function readMembers(db: Db, organizationId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select(['users.id', 'users.name', 'users.email', 'memberships.role', 'memberships.created_at as joinedAt'])
    .select('memberships.role_from_provider as isRoleFromProvider')
    .select(sql<boolean>`second_factors.user_id is not null`.as('hasSecondFactor'))
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .execute()
}

/** Those of these people who are members of the organization. */
export async function findMembers(
  db: Db | Tx,
  options: { organizationId: string; userIds: string[] },
): Promise<{ id: string; name: string }[]> {
  if (options.userIds.length === 0) return []
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name'])
    .where('organization_id', '=', options.organizationId)
    .where('users.id', 'in', options.userIds)
    .execute()
}

export async function isMemberByEmail(db: Db, options: { organizationId: string; email: string }): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('organization_id', '=', options.organizationId)
    .where(sql<boolean>`lower(users.email) = lower(${options.email})`)
    .executeTakeFirst()
  return row !== undefined
}

export async function findMemberByEmail(
  db: Db,
  options: { organizationId: string; email: string },
): Promise<{ userId: string; role: Role } | undefined> {
  // PostgreSQL cannot store NUL in text and fails when searching for it, so no user has such an e-mail.
  if (options.email.includes('\0')) return undefined
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id as userId', 'memberships.role'])
    .where('organization_id', '=', options.organizationId)
    .where(sql<boolean>`lower(users.email) = lower(${options.email})`)
    .executeTakeFirst()
}

/**
 * Locks the organization's admins and the given member until the transaction ends. Always in the same order and all admins at once,
 * so that two concurrent changes cannot together remove the last admin.
 */
export async function lockAdminsAndMember(
  tx: Tx,
  options: { organizationId: string; userId: string },
): Promise<{ userId: string; role: Role; isRoleFromProvider: boolean }[]> {
  const { rows } = await sql<{ userId: string; role: Role; isRoleFromProvider: boolean }>`
    select user_id as "userId", role, role_from_provider as "isRoleFromProvider" from memberships
    where organization_id = ${options.organizationId} and (role = 'admin' or user_id = ${options.userId})
    order by user_id
    for update
  `.execute(tx)
  return rows
}

export async function setRole(
  tx: Tx,
  options: { organizationId: string; userId: string; role: Role; isFromProvider: boolean },
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role: options.role, role_from_provider: options.isFromProvider })
    .where('organization_id', '=', options.organizationId)
    .where('user_id', '=', options.userId)
    .execute()
}

/** Sessions and API keys are deleted with the membership. */
export async function deleteMember(tx: Tx, options: { organizationId: string; userId: string }): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', options.organizationId)
    .where('user_id', '=', options.userId)
    .execute()
}

/** False if the user is already a member of the organization. */
export async function insertMembership(
  tx: Tx,
  membership: { organizationId: string; userId: string; role: Role; now: Date },
): Promise<boolean> {
  const { organizationId, userId, role, now } = membership
  const inserted = await tx
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function readAdminIds(db: Db | Tx, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('user_id as userId')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .orderBy('user_id')
    .execute()
  return rows.map(({ userId }) => userId)
}
