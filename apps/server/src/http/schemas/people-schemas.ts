import { Type } from 'typebox'
import { accessLimits } from '../../model/access.ts'
import { scopes } from '../../model/api-key-scope.ts'
import { noContent } from '../page-responses.ts'
import { closed, described, namedEnum, NullableText, NullableTimestamp, orNull, Timestamp } from '../schemas.ts'

/** People and their sessions, API keys and organizations. */
export const Role = namedEnum('Role', ['admin', 'member'])

const person = { id: Type.String(), email: Type.String(), name: Type.String() }
export const Person = Type.Object(person, { title: 'Person' })

export const Account = Type.Object(
  {
    ...person,
    hasPassword: Type.Boolean({ description: 'False for a user who has only signed in through the OIDC provider.' }),
  },
  { title: 'Account', description: 'The account of the signed-in user.' },
)

export const AccountSession = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    lastSeenAt: described(Timestamp, 'Accurate to the minute.'),
    userAgent: described(NullableText, 'The User-Agent header at sign-in.'),
    organizationName: Type.String(),
    isCurrent: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { title: 'AccountSession', description: 'A device or browser in which the user is signed in.' },
)

export const ApiKeyScope = namedEnum('ApiKeyScope', scopes, 'An action on everything, or on one kind of resource.')

const apiKeyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it.' }),
  createdAt: Timestamp,
  lastUsedAt: described(NullableTimestamp, 'Accurate to the minute; null if never used.'),
  scopes: Type.Array(ApiKeyScope, { description: 'What the key may do, at most what its member may do.' }),
  expiresAt: described(NullableTimestamp, 'Null: never.'),
  allowedNetworks: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The CIDR blocks from which the key is accepted. Null: from any address.',
  }),
  groupIds: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The groups that the key belongs to. It sees what they may see. Null: what its member may see.',
  }),
}

const GivenGroupIds = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', maxLength: 100 },
  maxItems: accessLimits.groups,
})

export const NewApiKey = Type.Object(
  {
    name: Type.String(),
    scopes: Type.Optional(Type.Array(ApiKeyScope, { description: 'Default: what every key could do before there were scopes.' })),
    expiresAt: Type.Optional(NullableTimestamp),
    allowedNetworks: Type.Optional(
      Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string', maxLength: 100 }, maxItems: 50 }),
    ),
    groupIds: Type.Optional(GivenGroupIds),
  },
  { title: 'NewApiKey', ...closed },
)

export const ApiKeyEdit = Type.Object(
  { name: Type.Optional(Type.String()), groupIds: Type.Optional(GivenGroupIds) },
  { title: 'ApiKeyEdit', ...closed },
)

export const GroupOfKeys = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'GroupOfKeys', description: 'A group that the keys of this person can belong to.' },
)

export const ListedApiKey = Type.Object(
  { ...apiKeyFields, user: Person },
  { title: 'ListedApiKey', description: 'An API key with the member it acts as.' },
)

export const CreatedApiKey = Type.Object(
  { ...apiKeyFields, key: Type.String() },
  { title: 'CreatedApiKey', description: 'The only response that contains the key itself.' },
)

const organization = { id: Type.String(), name: Type.String() }

export const ChartPalette = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string' },
  description: 'The colors of charts, such as #1d4a51, in the order of use. Null for the default ones.',
})

export const Session = Type.Object(
  {
    user: Person,
    organization: Type.Object({ ...organization, chartPalette: ChartPalette }),
    role: Role,
    organizations: Type.Array(Type.Object({ ...organization, role: Role }), {
      description: 'All organizations of the user.',
    }),
    isViewedAs: Type.Boolean({ description: 'An admin looks at the pages as this user, and can change nothing.' }),
  },
  { title: 'Session', description: 'The signed-in user and the current organization.' },
)

export const SignInOptions = Type.Object(
  { oidc: orNull(Type.Object({ name: Type.String() })), canResetPassword: Type.Boolean() },
  { title: 'SignInOptions', description: 'Sign-in options besides the password.' },
)

export const SignInStep = namedEnum('SignInStep', ['code', 'set_up'], 'Enter a code of the second factor, or set one up.')

/** 204 with a session, or the step that is missing. */
export const signInResponse = {
  ...noContent,
  200: Type.Object({ step: SignInStep }, { title: 'UnfinishedSignIn', description: 'The password was right; this step is missing.' }),
} as const

export const SecondStep = Type.Object(
  { step: SignInStep, email: Type.String() },
  { title: 'SecondStep', description: 'What is missing to complete the sign-in.' },
)

export const SecondFactor = Type.Object(
  {
    isOn: Type.Boolean(),
    since: described(NullableTimestamp, 'Null while it is off.'),
    recoveryCodesLeft: Type.Integer(),
    isRequired: Type.Boolean({ description: 'Whether an organization of the user requires it.' }),
  },
  { title: 'SecondFactor', description: 'The second factor of the signed-in user.' },
)

export const SecondFactorOffer = Type.Object(
  {
    key: Type.String({ description: 'In Base32, for apps that cannot scan the QR code.' }),
    uri: Type.String({ description: 'The content of the QR code.' }),
    offer: Type.String({ description: 'To be returned with the first code.' }),
  },
  { title: 'SecondFactorOffer', description: 'A new key. It is not used until a code confirms it.' },
)

export const AcceptedOffer = Type.Object({ offer: Type.String(), code: Type.String() }, { title: 'AcceptedOffer', ...closed })

export const RecoveryCodes = Type.Object(
  { recoveryCodes: Type.Array(Type.String()) },
  { title: 'RecoveryCodes', description: 'The only response that contains the codes. Each works once.' },
)

const limitBytes = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

export const CostLimits = Type.Object(
  {
    perQueryBytes: limitBytes('For each query; null without a limit.'),
    perPersonDailyBytes: limitBytes('For all queries that a person starts on a day (UTC); null without a limit.'),
    perOrganizationDailyBytes: limitBytes('For all queries of the organization on a day (UTC); null without a limit.'),
  },
  { title: 'CostLimits', description: 'How many bytes queries may read, by the estimates of engines that have any.', ...closed },
)

export const Organization = Type.Object(
  {
    ...organization,
    webhooksEnabled: Type.Boolean({
      description: 'While this is off, no events are published, and endpoints can be neither read nor changed.',
    }),
    chartPalette: ChartPalette,
    publicLinksEnabled: Type.Boolean({ description: 'While this is off, no public link of the organization can be opened.' }),
    memberUploadsEnabled: Type.Boolean({ description: 'While this is on, each member can upload files into a database of their own.' }),
    costLimits: CostLimits,
    secondFactorRequired: Type.Boolean({ description: 'While this is on, people who sign in with a password need a second factor.' }),
    ssoRequired: Type.Boolean({ description: 'While this is on, people sign in with the identity provider instead of a password.' }),
  },
  { title: 'Organization' },
)

export const AddedOrganization = Type.Object({ ...organization, role: Role }, { title: 'AddedOrganization' })

export const Member = Type.Object(
  {
    ...person,
    role: Role,
    joinedAt: Timestamp,
    hasSecondFactor: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: 'Null unless an admin asks.' }),
    isRoleFromProvider: Type.Boolean({ description: 'Whether the identity provider decides the role.' }),
  },
  { title: 'Member' },
)

const invitationFields = {
  id: Type.String(),
  email: Type.String(),
  role: Role,
  invitedBy: Type.Object({ id: Type.String(), name: Type.String() }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

export const Invitation = Type.Object(invitationFields, { title: 'Invitation' })

export const NewInvitation = Type.Object(
  {
    ...invitationFields,
    url: Type.String(),
    isMailed: Type.Boolean(),
    mailFault: described(NullableText, 'The mail server’s response if it rejected the e-mail.'),
  },
  { title: 'NewInvitation', description: 'The only response that contains the link.' },
)

export const OpenedInvitation = Type.Object(
  {
    organizationName: Type.String(),
    email: Type.String(),
    role: Role,
    invitedByName: Type.String(),
    expiresAt: Timestamp,
  },
  {
    title: 'OpenedInvitation',
    description: 'An invitation, opened by its link. It does not say whether the address has an account.',
  },
)

export const Welcome = Type.Object(
  { email: Type.String(), organizationName: Type.String() },
  { title: 'Welcome', description: 'Initial values for the form behind the link that the first start prints.' },
)

export const PasswordReset = Type.Object(
  { email: Type.String() },
  { title: 'PasswordReset', description: 'The account whose password the link resets.' },
)
