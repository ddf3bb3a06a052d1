import type { MemberAttribute } from '../../model/row-rule.ts'
import type { Db, Tx } from '../db.ts'

/** The attributes of all members, or of one. */
export async function readMemberAttributes(db: Db | Tx, key: { organizationId: string; userId?: string }): Promise<MemberAttribute[]> {
  return db
    .selectFrom('member_attributes')
    .select(['user_id as userId', 'name', 'value', 'is_from_provider as isFromProvider'])
    .where('organization_id', '=', key.organizationId)
    .$if(key.userId !== undefined, (attributes) => attributes.where('user_id', '=', key.userId!))
    .orderBy('user_id')
    .orderBy('name')
    .execute()
}

/** Replaces what an admin, or the identity provider, has said about a member. What the other one said is kept, unless the names are equal. */
export async function replaceMemberAttributes(
  tx: Tx,
  member: { organizationId: string; userId: string; attributes: Record<string, string>; isFromProvider: boolean },
): Promise<void> {
  const { organizationId: organization_id, userId: user_id, isFromProvider: is_from_provider } = member
  const entries = Object.entries(member.attributes)
  const names = entries.map(([name]) => name)
  await tx
    .deleteFrom('member_attributes')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where((row) => row.or([row('is_from_provider', '=', is_from_provider), ...(names.length > 0 ? [row('name', 'in', names)] : [])]))
    .execute()
  if (entries.length === 0) return
  const rows = entries.map(([name, value]) => ({ organization_id, user_id, name, value, is_from_provider }))
  await tx.insertInto('member_attributes').values(rows).execute()
}
