import { sql } from 'kysely'
import type { AccessRules } from '../../model/access.ts'
import type { Role } from '../../model/people.ts'
import type { Db, Tx } from '../db.ts'
import { visibleSchema } from '../set-viewer.ts'

/** Whether the organization restricts anything for a row of memberships. For statements that read something else anyway. */
export const hasAccessRules = (organizationId: string) => sql<boolean>`(
  memberships.role <> 'admin' and (
    exists (select from database_grants where organization_id = ${sql.ref(organizationId)})
    or exists (select from folder_grants where organization_id = ${sql.ref(organizationId)}))
  or exists (
    select from analytical_database_configs as bound
    where bound.organization_id = ${sql.ref(organizationId)} and bound.row_rules is not null and bound.deleted_at is null))`

interface Membership {
  groupIds: string[]
  /** Null for someone who has left. */
  role: Role | null
  attributes: Record<string, string>
}

/** The rules of the organization, and the groups of one of its members. */
export async function readAccessRules(
  db: Db | Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<AccessRules & Membership> {
  const grants = (table: 'database_grants' | 'folder_grants', subject: string) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('subjectId', ${sql.id(subject)}, 'groupId', group_id, 'level', level))
    from ${sql.table(table)} where organization_id = ${organizationId}), '[]')`
  const { rows } = await sql<AccessRules & Membership>`
    select ${grants('database_grants', 'database_id')} as "databaseGrants", ${grants('folder_grants', 'folder_id')} as "folderGrants",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'parentId', parent_id))
        from ${sql.table(`${visibleSchema}.all_folders`)} where organization_id = ${organizationId}), '[]') as folders,
      ${rowRulesOf(organizationId)} as "rowRules",
      coalesce((
        select jsonb_object_agg(name, value) from member_attributes
        where organization_id = ${organizationId} and user_id = ${userId}), '{}') as attributes,
      array(select group_id from group_members where organization_id = ${organizationId} and user_id = ${userId}) as "groupIds",
      (select role from memberships where organization_id = ${organizationId} and user_id = ${userId}) as role`.execute(db)
  return rows[0]!
}

const rowRulesOf = (organizationId: string) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('databaseId', id, 'rules', row_rules))
  from analytical_database_configs
  where organization_id = ${organizationId} and row_rules is not null and deleted_at is null), '[]')`

export async function readRowRules(db: Db | Tx, organizationId: string): Promise<AccessRules['rowRules']> {
  const { rows } = await sql<Pick<AccessRules, 'rowRules'>>`select ${rowRulesOf(organizationId)} as "rowRules"`.execute(db)
  return rows[0]!.rowRules
}
