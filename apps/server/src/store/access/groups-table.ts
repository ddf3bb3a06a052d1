import { sql } from 'kysely'
import type { Group } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'

/** All groups of the organization, by name. */
export async function readGroups(db: Db | Tx, organizationId: string): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select id, name, created_at as "createdAt",
      array(select user_id from group_members where group_id = groups.id order by user_id) as "memberIds"
    from groups where organization_id = ${organizationId}
    order by lower(name), id`.execute(db)
  return rows
}

/** Groups change one at a time, so that the names stay unique and a limit holds. */
export async function lockGroups(tx: Tx, organizationId: string): Promise<Group[]> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  return readGroups(tx, organizationId)
}

export async function insertGroup(
  tx: Tx,
  group: { id: string; organizationId: string; name: string; createdBy: string; now: Date },
): Promise<void> {
  const { id, organizationId, name, createdBy, now } = group
  await tx.insertInto('groups').values({ id, organization_id: organizationId, name, created_by: createdBy, created_at: now }).execute()
}

export async function renameGroup(tx: Tx, group: { id: string; name: string }): Promise<void> {
  await tx.updateTable('groups').set({ name: group.name }).where('id', '=', group.id).execute()
}

/** Its grants go with it. */
export async function removeGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('groups').where('id', '=', id).execute()
}

/** Replaces the members of a group. People who are not members of the organization are left out. */
export async function replaceGroupMembers(tx: Tx, group: { id: string; organizationId: string; userIds: string[] }): Promise<void> {
  await tx.deleteFrom('group_members').where('group_id', '=', group.id).execute()
  await sql`
    insert into group_members (group_id, organization_id, user_id)
    select ${group.id}, organization_id, user_id from memberships
    where organization_id = ${group.organizationId} and user_id = any (${group.userIds}::text[])`.execute(tx)
}

/** Replaces the groups of a member. Groups of other organizations are left out. */
export async function replaceGroupsOfMember(tx: Tx, member: { organizationId: string; userId: string; groupIds: string[] }): Promise<void> {
  const { organizationId, userId, groupIds } = member
  await tx.deleteFrom('group_members').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
  await sql`
    insert into group_members (group_id, organization_id, user_id)
    select id, organization_id, ${userId} from groups where organization_id = ${organizationId} and id = any (${groupIds}::text[])`.execute(tx)
}
