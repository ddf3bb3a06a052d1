import type { ActorKind, AuditRecord } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'

/** Labels for the actions of the log. The pages also show the names that programs use. */
const special: Record<string, string> = {
  'session.started': 'Signed in',
  'session.failed': 'Sign-in failed',
  'session.ended': 'Signed out',
  'member.role_changed': 'Role changed',
  'database.table_imported': 'Table imported',
  'database.table_renamed': 'Table renamed',
  'database.table_deleted': 'Table deleted',
  'webhook_endpoint.secret_shown': 'Webhook secret shown',
  'webhook_endpoint.secret_rotated': 'Next webhook secret created',
  'webhook_endpoint.secret_activated': 'Next webhook secret activated',
  'webhook_endpoint.secret_cancelled': 'Next webhook secret canceled',
  'webhook_endpoint.test_sent': 'Webhook test sent',
  'webhook_endpoint.held_sent': 'Held webhooks sent',
  'webhook_endpoint.replayed': 'Webhooks resent',
  'delivery.resent': 'Webhook resent',
  'password.reset_requested': 'Password reset link created',
  'reference.verified': 'Query verified',
  'reference.unverified': 'Query no longer verified',
  'knowledge.suggested': 'Knowledge suggested',
  'knowledge.suggestion_accepted': 'Suggestion accepted',
  'knowledge.suggestion_declined': 'Suggestion declined',
}

export const actionLabel = (action: string): string => special[action] ?? nameLabel(action)

/** `webhook_endpoint.created` → `Webhook endpoint created`. */
export function nameLabel(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ').replace(/^api\b/, 'API').replace(/\bid$/, 'id')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `isRevoked` → `Is revoked`, `baseUrl` → `Base URL`. */
export function fieldLabel(field: string): string {
  const words = splitWords(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const splitWords = (field: string) =>
  field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(api|url|sql)\b/g, (word) => word.toUpperCase())

const actorNames: Record<ActorKind, string> = {
  user: 'Someone',
  key: 'An API key',
  agent: 'An agent',
  service: 'Querypost',
  operator: 'The operator',
  anonymous: 'Someone not signed in',
}

/** Who acted, and how if not on the pages. */
export function describeActor({ kind, name, user }: AuditRecord['actor']): { who: string; means: string | null } {
  if (kind === 'service') return { who: actorNames.service, means: user && `for ${user.name}` }
  const who = user?.name ?? actorNames[kind]
  if (kind === 'key') return { who, means: name === null ? 'with an API key' : `with the API key ${name}` }
  if (kind === 'agent') return { who, means: name === null ? 'by an agent in a chat' : `by the automation ${name}` }
  return { who, means: null }
}

const methods: Record<string, string> = {
  password: 'with a password',
  oidc: 'with single sign-on',
  invitation: 'with an invitation',
  password_reset: 'with a password reset link',
  welcome: 'with the setup link',
  other_organization: 'from another organization',
}

/** The object of the action and its changed fields, shown below the action. */
export function describeSubject({ subject, details }: Pick<AuditRecord, 'subject' | 'details'>): string {
  if (subject.type === 'session') return typeof details['method'] === 'string' ? (methods[details['method']] ?? '') : ''
  const changed = Object.keys(details.changes ?? {}).map(splitWords)
  return [subject.name ?? subject.id, changed.join(', ')].filter(Boolean).join(' · ')
}

/** The page of the action's object, if it has one. */
export function subjectPath({ type, id }: AuditRecord['subject']): string | undefined {
  if (type === 'model_settings' || type === 'model_budget' || type === 'data_connector') return paths.agentSettings
  if (type === 'knowledge') return paths.knowledgeOf('history')
  if (type === 'suggestion') return paths.knowledgeOf('suggestions')
  if (type === 'user' || type === 'invitation') return paths.memberSettings
  if (type === 'organization') return paths.organizationSettings
  if (id === null) return undefined
  if (type === 'database') return paths.database(id)
  if (type === 'query') return paths.query(id)
  if (type === 'reference') return paths.permalink(id)
  if (type === 'webhook_endpoint') return paths.webhookEndpoint(id)
  if (type === 'automation') return paths.automation(id)
  return undefined
}

/** A value for reading. Nested values are JSON. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.length === 0 ? 'none' : value.map(formatValue).join(', ')
  }
  return JSON.stringify(value, null, 2)
}
