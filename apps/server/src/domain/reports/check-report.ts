import type { AutomationInFull } from '../../model/automation.ts'
import type { Caller } from '../../model/caller.ts'
import { channelLimits } from '../../model/channel.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import { type Recipient, type Report, reportLimits, type ReportValues } from '../../model/report.ts'
import { readGroups } from '../../store/access/groups-table.ts'
import type { Db } from '../../store/db.ts'
import { readMembers } from '../../store/people/memberships-table.ts'
import type { FindReference } from '../../store/references/references-table.ts'
import { getBoard } from '../boards/boards.ts'
import { valuesOfBoard } from '../boards/tile-values.ts'
import type { ChannelRegistry } from '../channels/channel-registry.ts'
import { requireChannel } from '../channels/channels.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { getReference } from '../references/references.ts'
import type { AttachmentWriters } from './attachment-writers.ts'

export interface CheckDeps {
  db: Db
  findReference: FindReference
  channels: ChannelRegistry
  attachmentWriters: AttachmentWriters
}

export type ReportInput = Pick<Report, 'content' | 'target'> & Partial<Pick<Report, 'when' | 'minimumSeverity' | 'values' | 'attachments' | 'isEnabled'>>

type NamesRecipients = Pick<Report, 'target'> & Partial<Pick<Report, 'values'>>

type Checked = Pick<Report, 'content' | 'target' | 'when' | 'minimumSeverity' | 'values' | 'attachments' | 'isEnabled'>

/**
 * A report as it can be stored. Throws a refusal that names the first wrong field. Members who left and groups that were deleted may stay
 * in a report that named them `before`.
 */
export async function checkReport(
  deps: CheckDeps,
  caller: Caller,
  automation: AutomationInFull,
  input: ReportInput,
  before?: NamesRecipients,
): Promise<Checked> {
  const { content, target, when = 'always', minimumSeverity = null, values = null, attachments = [], isEnabled = true } = input
  const parameters = content.kind === 'board' ? (await getBoard(deps, caller, content.boardShortId)).parameters : []
  if (when === 'condition' && !automation.condition) throw badInput('/when', 'needs an automation with a condition')
  if (when === 'alert' && automation.condition?.kind !== 'alert') throw badInput('/when', 'needs an automation with an alert')
  if (when === 'alert' && content.kind !== 'summary') throw badInput('/content', 'must be the summary: an alert sends its own message')
  if (when === 'alert' && attachments.length > 0) throw badInput('/attachments', 'are not possible: an alert sends its own message')
  if (when !== 'alert' && minimumSeverity !== null) throw badInput('/minimumSeverity', 'needs a report that is sent for an alert')
  attachments.forEach((kind, at) => {
    if (!deps.attachmentWriters[kind]) throw badInput(`/attachments/${at}`, `is not supported by this service: ${kind}`)
    if ((kind === 'png' || kind === 'pdf') && content.kind !== 'board') throw badInput(`/attachments/${at}`, 'needs a board')
    if (attachments.indexOf(kind) < at) throw badInput(`/attachments/${at}`, `repeats ${kind}`)
  })
  if (values && content.kind !== 'board') throw badInput('/values', 'need a board: a summary is the same for everyone')
  if (values && target.kind !== 'email') throw badInput('/values', 'need recipients by e-mail')
  const known = await readKnownRecipients(deps.db, caller, before)
  return {
    content,
    target: await checkTarget(deps, caller, { target, known, hasValues: values !== null }),
    when,
    minimumSeverity,
    values: values && (await checkValues(deps, caller, { values, known, parameters })),
    attachments,
    isEnabled,
  }
}

async function checkTarget(
  deps: CheckDeps,
  caller: Caller,
  { target, known, hasValues }: { target: Report['target']; known: KnownRecipients; hasValues: boolean },
): Promise<Report['target']> {
  if (target.kind === 'channel') {
    const { id: channelId, kind } = await requireChannel(deps.db, caller, target.channelId)
    if (target.conversation === undefined) {
      if (deps.channels.kinds[kind]?.listConversations) throw badInput('/target/conversation', 'must be one of the channel’s conversations')
      return { kind: 'channel', channelId }
    }
    const maxCharacters = channelLimits.conversationCharacters
    const conversation = checkText({ path: '/target/conversation', text: target.conversation, maxCharacters })
    return { kind: 'channel', channelId, conversation }
  }
  if (!deps.channels.email) throw badInput('/target', 'cannot be e-mail: the service has no mail server. Ask the operator to set one up')
  const { recipients } = target
  if (recipients.length === 0 && !hasValues) throw badInput('/target/recipients', 'must name at least one recipient')
  if (recipients.length > reportLimits.recipients) {
    throw badInput('/target/recipients', `must have at most ${reportLimits.recipients} recipients`)
  }
  return { kind: 'email', recipients: recipients.map((each, at) => checkRecipient(each, `/target/recipients/${at}`, known)) }
}

async function checkValues(
  deps: CheckDeps,
  caller: Caller,
  input: { values: ReportValues; known: KnownRecipients; parameters: ParameterDefinition[] },
): Promise<ReportValues> {
  const { values, known, parameters } = input
  if (values.kind === 'query') {
    await getReference(deps, caller, values.referenceShortId)
    const given = Object.keys(values.columns)
    if (given.length === 0) throw badInput('/values/columns', 'must name a column for at least one parameter')
    for (const name of given) {
      const isKnown = parameters.some((parameter) => parameter.name === name)
      if (!isKnown) throw badInput('/values/columns', `names no parameter of the board: ${JSON.stringify(name)}`)
    }
    return values
  }
  const { entries } = values
  if (entries.length === 0 || entries.length > reportLimits.valueEntries) {
    throw badInput('/values/entries', `must have 1 to ${reportLimits.valueEntries} entries; it has ${entries.length}`)
  }
  return {
    kind: 'list',
    entries: entries.map((entry, at) => {
      valuesOfBoard(parameters, entry.values)
      return { recipient: checkRecipient(entry.recipient, `/values/entries/${at}/recipient`, known), values: entry.values }
    }),
  }
}

interface KnownRecipients {
  userIds: ReadonlySet<string>
  groups: ReadonlyMap<string, Recipient & { kind: 'group' }>
}

/** The organization's members and groups, and those that the report named before. */
async function readKnownRecipients(db: Db, { organizationId }: Caller, before: NamesRecipients | undefined): Promise<KnownRecipients> {
  const members = await readMembers(db, organizationId)
  const groups = await readGroups(db, organizationId)
  const named = before ? namedRecipients(before) : []
  return {
    userIds: new Set([...members.map(({ id }) => id), ...named.flatMap((each) => (each.kind === 'member' ? each.userId : []))]),
    groups: new Map([
      ...named.flatMap((each) => (each.kind === 'group' ? [[each.groupId, each] as const] : [])),
      ...groups.map(({ id, name }) => [id, { kind: 'group', groupId: id, name }] as const),
    ]),
  }
}

const emailMaxCharacters = 254

function checkRecipient(recipient: Recipient, path: string, known: KnownRecipients): Recipient {
  if (recipient.kind === 'member' && !known.userIds.has(recipient.userId)) {
    throw badInput(`${path}/userId`, 'is not a member of your organization')
  }
  if (recipient.kind === 'group') {
    const group = known.groups.get(recipient.groupId)
    if (!group) throw badInput(`${path}/groupId`, 'is not a group of your organization')
    return group
  }
  if (recipient.kind !== 'address') return recipient
  const email = checkText({ path: `${path}/email`, text: recipient.email, maxCharacters: emailMaxCharacters }).toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw badInput(`${path}/email`, 'must be an e-mail address such as jane@example.com')
  return { kind: 'address', email }
}

/** The outside addresses that a report names, which have to be confirmed. Those of a query are known only when it runs. */
export function outsideAddresses(report: NamesRecipients, members: readonly { email: string }[]): string[] {
  const known = new Set(members.map(({ email }) => email.toLowerCase()))
  const emails = namedRecipients(report).flatMap((recipient) => (recipient.kind === 'address' ? recipient.email : []))
  return [...new Set(emails)].filter((email) => !known.has(email))
}

const namedRecipients = ({ target, values }: NamesRecipients): Recipient[] => [
  ...(target.kind === 'email' ? target.recipients : []),
  ...(values?.kind === 'list' ? values.entries.map(({ recipient }) => recipient) : []),
]
