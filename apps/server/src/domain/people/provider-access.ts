import type { Origin } from '../../model/caller.ts'
import { rowRuleLimits } from '../../model/row-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OidcPerson } from '../../ports/oidc.ts'
import type { Random } from '../../ports/random.ts'
import { lockGroups, replaceGroupsOfMember } from '../../store/access/groups-table.ts'
import { readMemberAttributes, replaceMemberAttributes } from '../../store/access/member-attributes-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { findFirstOrganization } from '../../store/people/oidc-identities.ts'
import { unnamedActor } from '../audit/actor.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'

interface Deps {
  db: Db
  clock: Clock
  random: Random
}

/**
 * Gives a person the groups and attributes that the identity provider names, in the organization of the first start, as with roles. Applied at
 * every sign-in: a claim that is gone takes its groups or its attribute away.
 */
export async function applyProviderAccess(
  deps: Deps,
  input: { userId: string; person: Pick<OidcPerson, 'groups' | 'attributes'>; origin: Origin | undefined },
): Promise<void> {
  const { userId, person, origin } = input
  const { groups, attributes } = person
  if (!groups && !attributes) return
  await deps.db.transaction().execute(async (tx) => {
    const organizationId = await findFirstOrganization(tx)
    if (organizationId === undefined || (await findMembers(tx, { organizationId, userIds: [userId] })).length === 0) return
    const member = { organizationId, userId }
    const record = async (action: 'member.groups_changed' | 'member.attributes_changed', before: object, after: object) =>
      recordChange({ ...deps, tx }, unnamedActor('service', { organizationId, origin }), {
        action,
        subject: { type: 'user', id: userId, name: (await findUser(tx, userId))!.email },
        details: { by: 'identity provider', changes: changesOf(before, after) },
      })
    if (groups) await record('member.groups_changed', ...(await setGroups(tx, member, groups)))
    if (attributes) await record('member.attributes_changed', ...(await setAttributes(tx, member, attributes)))
  })
}

interface MemberKey {
  organizationId: string
  userId: string
}

/** The names are those of groups. Unknown ones are ignored, because a provider has groups for other services too. */
async function setGroups(tx: Tx, member: MemberKey, given: string[]): Promise<[object, object]> {
  const names = new Set(given.map((name) => name.trim().toLowerCase()))
  const groups = await lockGroups(tx, member.organizationId)
  const wanted = groups.filter(({ name }) => names.has(name.toLowerCase()))
  const before = groups.filter(({ memberIds }) => memberIds.includes(member.userId))
  await replaceGroupsOfMember(tx, { ...member, groupIds: wanted.map(({ id }) => id) })
  return [{ groups: before.map(({ name }) => name) }, { groups: wanted.map(({ name }) => name) }]
}

async function setAttributes(tx: Tx, member: MemberKey, given: Record<string, string>): Promise<[object, object]> {
  const attributes = Object.fromEntries(Object.entries(given).filter(([, value]) => isUsable(value)))
  const known = (await readMemberAttributes(tx, member)).filter(({ isFromProvider }) => isFromProvider)
  await replaceMemberAttributes(tx, { ...member, attributes, isFromProvider: true })
  return [{ attributes: Object.fromEntries(known.map(({ name, value }) => [name, value])) }, { attributes }]
}

const isUsable = (value: string) =>
  value.trim() === value && value !== '' && value.length <= rowRuleLimits.valueCharacters && value.isWellFormed() && !/\p{Cc}/u.test(value)
