import { Type } from 'typebox'
import { accessLimits } from '../../model/access.ts'
import { severities } from '../../model/alert.ts'
import { channelKinds, channelLimits, channelStates } from '../../model/channel.ts'
import {
  addressStates,
  attachmentKinds,
  deliveryPurposes,
  dropReasons,
  reportDeliveryStates,
  reportWhens,
  type SendOutcome,
} from '../../model/report.ts'
import { closed, described, namedEnum, nullable, NullableInteger, NullableText, NullableTimestamp, oneOf, Timestamp } from '../schemas.ts'
import { ReportMessage } from './report-message-schemas.ts'

const ReportSeverity = namedEnum('Severity', severities)
export const ChannelKind = namedEnum('ChannelKind', channelKinds)
const ChannelState = namedEnum('ChannelState', channelStates)
const Settings = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
  description: 'What the kind of channel needs to know, without its secret.',
})

export const Channel = Type.Object(
  {
    id: Type.String(),
    kind: ChannelKind,
    name: Type.String(),
    settings: Settings,
    state: ChannelState,
    disabledReason: described(NullableText, 'Null while it is enabled.'),
    failureCount: Type.Integer({ description: 'Deliveries in a row that failed permanently.' }),
    lastUsedAt: NullableTimestamp,
    createdBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Channel', description: 'A place outside Querypost where reports go.' },
)

export const ChannelList = Type.Object(
  {
    items: Type.Array(Channel),
    kinds: Type.Array(ChannelKind, { description: 'The kinds of channels that can be added.' }),
    isEmailEnabled: Type.Boolean({ description: 'Whether the operator has set up a mail server.' }),
  },
  { title: 'ChannelList' },
)

const access = {
  settings: Type.Optional(Settings),
  secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: channelLimits.secretCharacters, description: 'The URL or the token that gives access. Never returned.' }),
  ),
}

export const NewChannel = Type.Object({ kind: ChannelKind, name: Type.String(), ...access }, { title: 'NewChannel', ...closed })

export const ChannelChange = Type.Object(
  { name: Type.Optional(Type.String()), state: Type.Optional(ChannelState), ...access },
  { title: 'ChannelChange', ...closed },
)

export const Conversation = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'Conversation', description: 'A place within a channel, such as a Slack channel.' },
)

export const SlackConnection = Type.Object(
  {
    requestUrl: Type.String({ description: 'Where Slack sends events.' }),
    manifest: Type.String({ description: 'The Slack app, as JSON to paste in Slack.' }),
    hasSigningSecret: Type.Boolean(),
    missingScopes: described(nullable(Type.Array(Type.String())), 'Null if Slack did not name the bot’s permissions.'),
    refusal: described(NullableText, 'Why Slack does not accept the bot. Null if it does.'),
    lastEventAt: NullableTimestamp,
    lastRejectedAt: described(NullableTimestamp, 'The last request with an invalid signature.'),
    lastForeignAt: described(NullableTimestamp, 'The last event of a workspace that is not the bot’s.'),
    problem: nullable(Type.Object({ at: Timestamp, reason: Type.String() }, { title: 'SlackProblem' })),
  },
  { title: 'SlackConnection', description: 'Whether people can ask questions from a Slack workspace.' },
)

const Recipient = Type.Union(
  [
    Type.Object({ kind: Type.Literal('member'), userId: Type.String() }, closed),
    Type.Object({ kind: Type.Literal('address'), email: Type.String() }, closed),
    Type.Object({ kind: Type.Literal('admins') }, closed),
    Type.Object({ kind: Type.Literal('everyone') }, closed),
    Type.Object(
      {
        kind: Type.Literal('group'),
        groupId: Type.String(),
        name: Type.Optional(Type.String({ maxLength: accessLimits.groupNameCharacters, description: 'Of a group that was deleted. Ignored for others.' })),
      },
      closed,
    ),
  ],
  { title: 'ReportRecipient', description: 'A member, a group of members, or an outside address, which has to confirm once.' },
)

export const RecipientGroup = Type.Object(
  { id: Type.String(), name: Type.String(), memberCount: Type.Integer() },
  { title: 'RecipientGroup', description: 'A group of members that reports can be sent to.' },
)

const RecipientValues = Type.Record(
  Type.String(),
  Type.Unsafe<string | string[]>({
    // Arrays first: the serializer would turn one into a string.
    type: ['array', 'string'],
    items: { type: 'string' },
  }),
  { title: 'RecipientValues', description: 'Values of the board’s parameters, by name.' },
)

const ReportValues = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('list'),
        entries: Type.Array(Type.Object({ recipient: Recipient, values: RecipientValues }, closed)),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal('query'),
        referenceShortId: Type.String(),
        emailColumn: Type.String({ minLength: 1, maxLength: 200 }),
        columns: Type.Record(Type.String(), Type.String({ maxLength: 200 }), { description: 'The column for each parameter of the board.' }),
      },
      closed,
    ),
  ],
  { title: 'ReportValues', description: 'Parameter values by recipient: from a list, or from the rows of a query.' },
)

const ReportContent = Type.Union(
  [
    Type.Object({ kind: Type.Literal('summary') }, closed),
    Type.Object({ kind: Type.Literal('board'), boardShortId: Type.String() }, closed),
  ],
  { title: 'ReportContent', description: 'The summary of the run, or a board.' },
)

const ReportTarget = Type.Union(
  [
    Type.Object({ kind: Type.Literal('email'), recipients: Type.Array(Recipient) }, closed),
    Type.Object(
      { kind: Type.Literal('channel'), channelId: Type.String(), conversation: Type.Optional(Type.String()) },
      closed,
    ),
  ],
  { title: 'ReportTarget', description: 'Where the report is sent.' },
)

const ReportWhen = namedEnum(
  'ReportWhen',
  reportWhens,
  '`notable`: only after runs that found a change. `condition`: only if the automation’s condition is met.',
)
const AttachmentKind = namedEnum('AttachmentKind', attachmentKinds)

export const Report = Type.Object(
  {
    id: Type.String(),
    automationId: Type.String(),
    content: ReportContent,
    target: ReportTarget,
    when: ReportWhen,
    minimumSeverity: described(nullable(ReportSeverity), 'For an alert: messages of a lower severity are not sent. Null: all are.'),
    values: nullable(ReportValues),
    attachments: Type.Array(AttachmentKind),
    isEnabled: Type.Boolean(),
    addresses: Type.Array(
      Type.Object({ email: Type.String(), state: namedEnum('AddressState', addressStates) }, { title: 'ReportAddress' }),
      { description: 'The outside addresses that the report names.' },
    ),
    unsubscribed: Type.Array(Type.String(), { description: 'Addresses whose owners unsubscribed from the report.' }),
    createdBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Report', description: 'What is sent after a run of the automation, to whom and when.' },
)

const optionalFields = {
  when: Type.Optional(ReportWhen),
  minimumSeverity: Type.Optional(nullable(ReportSeverity)),
  values: Type.Optional(nullable(ReportValues)),
  attachments: Type.Optional(Type.Array(AttachmentKind, { maxItems: attachmentKinds.length })),
  isEnabled: Type.Optional(Type.Boolean()),
}

export const NewReport = Type.Object({ content: ReportContent, target: ReportTarget, ...optionalFields }, { title: 'NewReport', ...closed })

export const ReportChange = Type.Object(
  { content: Type.Optional(ReportContent), target: Type.Optional(ReportTarget), ...optionalFields },
  { title: 'ReportChange', ...closed },
)

const linked = { title: Type.String(), link: Type.String() }

const ReportSection = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('text'),
      markdown: Type.String(),
      figures: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer(), link: Type.String() })),
    }),
    Type.Object({ kind: Type.Literal('chart'), ...linked, imageId: Type.String(), alt: Type.String() }),
    Type.Object({
      kind: Type.Literal('table'),
      ...linked,
      fields: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
      rows: Type.Array(Type.Array(Type.Unknown()), { description: 'The first 20 rows.' }),
      rowCount: Type.Integer(),
    }),
    Type.Object({ kind: Type.Literal('number'), ...linked, text: Type.String(), change: Type.Optional(Type.String()) }),
    Type.Object({ kind: Type.Literal('failure'), ...linked, reason: Type.String() }),
  ],
  { title: 'ReportSection' },
)

const ReportDocument = Type.Object(
  {
    title: Type.String(),
    preview: Type.String({ description: 'One line, shown by mail programs beside the title.' }),
    link: Type.String(),
    sentAt: Timestamp,
    sections: Type.Array(ReportSection),
    downloads: Type.Optional(
      Type.Array(Type.Object({ fileName: Type.String(), link: Type.String(), sizeBytes: Type.Optional(Type.Integer()), expiresAt: Timestamp }), {
        description: 'Files that are too large to send, as links that work without signing in until they expire.',
      }),
    ),
    note: Type.Optional(Type.String()),
  },
  { title: 'ReportDocument', description: 'What a recipient gets, independent of how it is sent.' },
)

const RenderedReport = Type.Object(
  {
    document: ReportDocument,
    message: ReportMessage,
    attachments: Type.Array(Type.Object({ fileName: Type.String(), contentType: Type.String(), sizeBytes: Type.Integer() })),
  },
  { title: 'RenderedReport' },
)

const DropReason = Type.Unsafe<(typeof dropReasons)[number] | null>({
  type: ['string', 'null'],
  enum: [...dropReasons, null],
  description: 'Why it is not sent. Null if it is.',
})

export const ReportPreview = Type.Object(
  {
    recipients: Type.Array(
      Type.Object(
        { email: Type.String(), isMember: Type.Boolean(), values: nullable(RecipientValues), dropReason: DropReason },
        { title: 'PreviewedRecipient' },
      ),
      { description: 'Everyone who would get it now; the first 200. None for a channel.' },
    ),
    recipientCount: Type.Integer(),
    rendered: RenderedReport,
  },
  { title: 'ReportPreview' },
)

export const ReportDeliveryState = namedEnum('ReportDeliveryState', reportDeliveryStates)

const deliveryFields = {
  id: Type.String(),
  reportId: Type.String(),
  automation: Type.Object({ id: Type.String(), name: Type.String() }),
  purpose: namedEnum('ReportDeliveryPurpose', deliveryPurposes),
  automationRunId: described(NullableText, 'Null for a test and for a request to confirm an address.'),
  recipient: Type.String({ description: 'An e-mail address, or the name of the channel.' }),
  channelId: NullableText,
  values: nullable(RecipientValues),
  state: ReportDeliveryState,
  dropReason: DropReason,
  attempts: Type.Array(
    Type.Object(
      {
        at: Timestamp,
        outcome: oneOf<SendOutcome['kind']>(['sent', 'refused_for_now', 'refused_for_good']),
        detail: described(NullableText, 'What the receiver said.'),
      },
      { title: 'ReportAttempt' },
    ),
  ),
  createdAt: Timestamp,
  nextAttemptAt: NullableTimestamp,
  endedAt: NullableTimestamp,
}

export const ReportDelivery = Type.Object(deliveryFields, {
  title: 'ReportDelivery',
  description: 'One document for one recipient, with every attempt to send it.',
})

export const ReportDeliveryInFull = Type.Object(
  { ...deliveryFields, rendered: nullable(RenderedReport) },
  { title: 'ReportDeliveryInFull', description: 'A delivery with what was sent. Null for a request to confirm an address.' },
)

export const ReportLink = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('confirm'),
      email: Type.String(),
      organizationName: Type.String(),
      state: namedEnum('AddressState', addressStates),
    }),
    Type.Object({
      kind: Type.Literal('unsubscribe'),
      email: Type.String(),
      organizationName: Type.String(),
      reportName: Type.String(),
      isUnsubscribed: Type.Boolean(),
    }),
    Type.Object({
      kind: Type.Literal('download'),
      fileName: Type.String(),
      organizationName: Type.String(),
      sizeBytes: described(NullableInteger, 'Null for a file that is written while it is downloaded.'),
      expiresAt: Timestamp,
    }),
  ],
  { title: 'ReportLink', description: 'What a link in a report for someone without an account is for.' },
)
