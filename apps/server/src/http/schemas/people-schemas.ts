import { Type } from 'typebox'
import { described, namedEnum, NullableText, NullableTimestamp, orNull, Timestamp } from '../schemas.ts'

/** People, their sessions, keys and organizations. */
export const Role = namedEnum('Role', ['admin', 'member'])

const person = { id: Type.String(), email: Type.String(), name: Type.String() }
export const Person = Type.Object(person, { title: 'Person' })

export const Account = Type.Object(
  {
    ...person,
    hasPassword: Type.Boolean({ description: 'False for somebody who only ever signed in through the OIDC provider.' }),
  },
  { title: 'Account', description: 'The signed-in person’s own account.' },
)

export const AccountSession = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    lastSeenAt: described(Timestamp, 'To the minute.'),
    userAgent: described(NullableText, 'The browser’s name for itself at sign-in.'),
    organizationName: Type.String(),
    isCurrent: Type.Boolean({ description: 'True for the session that asks.' }),
  },
  { title: 'AccountSession', description: 'A place where the person is signed in.' },
)

const apiKeyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'Its first characters, to recognize it by.' }),
  createdAt: Timestamp,
  lastUsedAt: described(NullableTimestamp, 'To the minute; null when it was never used.'),
}

export const ListedApiKey = Type.Object(
  { ...apiKeyFields, user: Person },
  { title: 'ListedApiKey', description: 'With the member it acts as.' },
)

export const CreatedApiKey = Type.Object(
  { ...apiKeyFields, key: Type.String() },
  { title: 'CreatedApiKey', description: 'The only answer that shows the key itself.' },
)

const organization = { id: Type.String(), name: Type.String() }

export const Session = Type.Object(
  {
    user: Person,
    organization: Type.Object(organization),
    role: Role,
    organizations: Type.Array(Type.Object({ ...organization, role: Role }), {
      description: 'All organizations that the person belongs to.',
    }),
  },
  { title: 'Session', description: 'Who is signed in, and whose pages are shown.' },
)

export const SignInOptions = Type.Object(
  { oidc: orNull(Type.Object({ name: Type.String() })), canResetPassword: Type.Boolean() },
  { title: 'SignInOptions', description: 'What the sign-in page may offer besides the password.' },
)

export const Organization = Type.Object(
  {
    ...organization,
    webhooksEnabled: Type.Boolean({
      description: 'While it is off, no event is published, and endpoints can be neither seen nor changed.',
    }),
  },
  { title: 'Organization' },
)

export const AddedOrganization = Type.Object({ ...organization, role: Role }, { title: 'AddedOrganization' })

export const Member = Type.Object({ ...person, role: Role, joinedAt: Timestamp }, { title: 'Member' })

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
    mailFault: described(NullableText, 'What the mail server said when it did not take the e-mail.'),
  },
  { title: 'NewInvitation', description: 'The only answer that shows the link.' },
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
    description: 'An invitation as its link shows it. It does not say whether the address has an account.',
  },
)

export const Welcome = Type.Object(
  { email: Type.String(), organizationName: Type.String() },
  { title: 'Welcome', description: 'The initial content of the form behind the link of the first start.' },
)

export const PasswordReset = Type.Object(
  { email: Type.String() },
  { title: 'PasswordReset', description: 'Whose password the link changes.' },
)
