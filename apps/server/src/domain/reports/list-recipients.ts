import type { Group } from '../../model/access.ts'
import type { Role } from '../../model/people.ts'
import type { Recipient, RecipientValues } from '../../model/report.ts'

export interface ReportMember {
  id: string
  email: string
  role: Role
}

/** Someone who gets a report by e-mail. */
export interface ListedRecipient {
  /** In lower case. */
  email: string
  /** Null for an outside address. */
  userId: string | null
  /** Null if they get the board with its own defaults. */
  values: RecipientValues | null
}

/** A recipient and the values that a list or a query gives to them. */
export interface ValueEntry {
  recipient: Recipient
  values: RecipientValues
}

/**
 * Who gets a report, each with their values, without duplicates. A person with values of their own gets only those: a manager who is
 * also part of `everyone` must not see the numbers of the other stores. An address of a member is that member. Members who left and
 * groups that were deleted are left out.
 */
export function listRecipients(input: {
  recipients: readonly Recipient[]
  entries: readonly ValueEntry[]
  members: readonly ReportMember[]
  groups: readonly Pick<Group, 'id' | 'memberIds'>[]
}): ListedRecipient[] {
  const byId = new Map(input.members.map((member) => [member.id, member]))
  const byEmail = new Map(input.members.map((member) => [member.email.toLowerCase(), member]))
  const membersOf = new Map(input.groups.map(({ id, memberIds }) => [id, new Set(memberIds)]))
  const listed = new Map<string, ListedRecipient>()
  const withOwnValues = new Set<string>()

  function peopleOf(recipient: Recipient): Pick<ListedRecipient, 'email' | 'userId'>[] {
    switch (recipient.kind) {
      case 'member':
        return [byId.get(recipient.userId)].flatMap((member) => member ?? []).map(person)
      case 'address': {
        const email = recipient.email.toLowerCase()
        const member = byEmail.get(email)
        return [member ? person(member) : { email, userId: null }]
      }
      case 'admins':
        return input.members.filter(({ role }) => role === 'admin').map(person)
      case 'everyone':
        return input.members.map(person)
      case 'group':
        return input.members.filter(({ id }) => membersOf.get(recipient.groupId)?.has(id)).map(person)
    }
  }

  for (const { recipient, values } of input.entries) {
    for (const one of peopleOf(recipient)) {
      withOwnValues.add(one.email)
      listed.set(`${one.email} ${valuesKey(values)}`, { ...one, values })
    }
  }
  for (const one of input.recipients.flatMap(peopleOf)) {
    if (!withOwnValues.has(one.email)) listed.set(one.email, { ...one, values: null })
  }
  return [...listed.values()]
}

const person = ({ id, email }: ReportMember) => ({ email: email.toLowerCase(), userId: id })

/** Recipients with the same values get the same document, so that it is made once. */
export function groupByValues(recipients: readonly ListedRecipient[]): { values: RecipientValues | null; recipients: ListedRecipient[] }[] {
  const groups = Map.groupBy(recipients, ({ values }) => valuesKey(values))
  return [...groups.values()].map((group) => ({ values: group[0]!.values, recipients: group }))
}

/** Equal values give equal text, in whatever order they are written. */
export function valuesKey(values: RecipientValues | null): string {
  return values === null ? '' : JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
