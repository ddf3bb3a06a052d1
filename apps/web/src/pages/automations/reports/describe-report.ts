import type { Channel, Conversation } from '../../../api/channels.ts'
import type { Member } from '../../../api/members.ts'
import type { AttachmentKind, RecipientGroup, Report, ReportDelivery, ReportRecipient, ReportWhen } from '../../../api/reports.ts'
import type { BadgeColor } from '../../../ui/badge.tsx'

export const whenLabels: Record<ReportWhen, string> = {
  always: 'After every run',
  notable: 'Only if something changed',
  condition: 'Only if the condition is met',
  alert: 'When the alert fires or is resolved',
}

export const attachmentLabels: Record<AttachmentKind, string> = { csv: 'CSV', xlsx: 'Excel', png: 'PNG', pdf: 'PDF' }

/** The people that recipients can be. Undefined while they are loaded. */
export interface KnownPeople {
  members: readonly Pick<Member, 'id' | 'name'>[] | undefined
  groups: readonly RecipientGroup[] | undefined
}

export function nameOf(recipient: ReportRecipient, { members, groups }: KnownPeople): string {
  switch (recipient.kind) {
    case 'member':
      return members?.find(({ id }) => id === recipient.userId)?.name ?? (members ? 'Former member' : 'Member')
    case 'address':
      return recipient.email
    case 'admins':
      return 'All admins'
    case 'everyone':
      return 'Everyone'
    case 'group':
      return groups?.find(({ id }) => id === recipient.groupId)?.name ?? recipient.name ?? 'Group'
  }
}

/** Why a group gets nothing, if so. */
export function groupProblem(recipient: ReportRecipient, { groups }: Pick<KnownPeople, 'groups'>): 'Group was deleted' | 'No members' | undefined {
  if (recipient.kind !== 'group' || !groups) return undefined
  const group = groups.find(({ id }) => id === recipient.groupId)
  if (!group) return 'Group was deleted'
  return group.memberCount === 0 ? 'No members' : undefined
}

const namesShown = 3

/** Where a report goes, in a few words. */
export function describeTarget(
  { target, values }: Pick<Report, 'target' | 'values'>,
  known: KnownPeople & {
    channels: readonly Pick<Channel, 'id' | 'name'>[] | undefined
    /** Of the channel, if it has several. */
    conversations?: readonly Conversation[] | undefined
  },
): string {
  if (target.kind === 'channel') {
    const channel = known.channels?.find(({ id }) => id === target.channelId)?.name ?? 'Channel'
    const conversation = known.conversations?.find(({ id }) => id === target.conversation)?.name
    return conversation === undefined ? channel : `${conversation} (${channel})`
  }
  const names = [...new Set(recipientsOf({ target, values }).map((recipient) => nameOf(recipient, known)))]
  const shown = names.slice(0, namesShown)
  if (names.length > namesShown) shown.push(`${names.length - namesShown} more`)
  if (values?.kind === 'query') shown.push('everyone in a query')
  return shown.join(', ')
}

/** Those that a report names, also for values of their own. */
export const recipientsOf = ({ target, values }: Pick<Report, 'target' | 'values'>): ReportRecipient[] => [
  ...(target.kind === 'email' ? target.recipients : []),
  ...(values?.kind === 'list' ? values.entries.map(({ recipient }) => recipient) : []),
]

export function deliveryStatus({ state, attempts }: Pick<ReportDelivery, 'state' | 'attempts'>): { label: string; color: BadgeColor } {
  if (state === 'sent') return { label: 'Sent', color: 'good' }
  if (state === 'failed') return { label: 'Failed', color: 'danger' }
  if (state === 'dropped') return { label: 'Not sent', color: 'plain' }
  return attempts.length === 0 ? { label: 'Sending…', color: 'accent' } : { label: 'Retrying', color: 'warning' }
}

const dropReasons: Record<NonNullable<ReportDelivery['dropReason']>, string> = {
  unconfirmed: 'The address isn’t confirmed yet.',
  unsubscribed: 'The recipient unsubscribed.',
  bounced: 'The mail server says that the address doesn’t exist.',
  not_a_member: 'The recipient is no longer a member.',
  channel_disabled: 'The channel is disabled.',
  report_disabled: 'The report was paused or removed.',
  already_confirmed: 'The address was already confirmed.',
}

/** Why a delivery was not sent, or what the receiver said last. */
export function describeOutcome({ dropReason, attempts }: Pick<ReportDelivery, 'dropReason' | 'attempts'>): string | undefined {
  if (dropReason !== null) return dropReasons[dropReason]
  const last = attempts.at(-1)
  return last && last.outcome !== 'sent' ? (last.detail ?? undefined) : undefined
}

export const whyNotSent = (reason: NonNullable<ReportDelivery['dropReason']>) => dropReasons[reason]
