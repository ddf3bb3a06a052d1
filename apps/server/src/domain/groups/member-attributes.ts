import type { Caller } from '../../model/caller.ts'
import { type MemberAttribute, rowRuleLimits } from '../../model/row-rule.ts'
import { readMemberAttributes, replaceMemberAttributes } from '../../store/access/member-attributes-table.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { checkAttributeName, checkAttributeValue } from './check-rules.ts'
import type { RowRulesDeps } from './row-rules.ts'

/** What admins and the identity provider say about members. Row rules refer to it. */
export async function listMemberAttributes(deps: Pick<RowRulesDeps, 'db'>, caller: Caller): Promise<MemberAttribute[]> {
  requireAdmin(caller)
  return readMemberAttributes(deps.db, { organizationId: caller.organizationId })
}

/** Replaces the attributes of a member, except those that the identity provider set. */
export async function setMemberAttributes(
  deps: RowRulesDeps,
  caller: Caller,
  { userId, attributes: given }: { userId: string; attributes: Record<string, string> },
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const attributes = checkAttributes(given)
  await deps.db.transaction().execute(async (tx) => {
    const [member] = isId(userId) ? await findMembers(tx, { organizationId, userIds: [userId] }) : []
    if (!member) throw new Refusal('member_not_found', 'There is no such member in your organization. Check the list of members.')
    const known = await readMemberAttributes(tx, { organizationId, userId })
    const provided = known.find(({ name, isFromProvider }) => isFromProvider && attributes[name] !== undefined)
    if (provided) throw badInput(`/attributes/${provided.name}`, 'comes from the identity provider and can only be changed there')
    const before = Object.fromEntries(known.filter(({ isFromProvider }) => !isFromProvider).map(({ name, value }) => [name, value]))
    await replaceMemberAttributes(tx, { organizationId, userId, attributes, isFromProvider: false })
    await recordChange({ ...deps, tx }, caller, {
      action: 'member.attributes_changed',
      subject: { type: 'user', id: userId, name: (await findUser(tx, userId))?.email ?? null },
      details: { changes: changesOf({ attributes: before }, { attributes }) },
    })
  })
}

function checkAttributes(given: Record<string, string>): Record<string, string> {
  const entries = Object.entries(given)
  if (entries.length > rowRuleLimits.attributes) throw badInput('/attributes', `must have at most ${rowRuleLimits.attributes} names`)
  return Object.fromEntries(
    entries.map(([name, value]) => [checkAttributeName('/attributes', name), checkAttributeValue(`/attributes/${name}`, value)]),
  )
}
