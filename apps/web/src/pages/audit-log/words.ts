import type { ActorKind, AuditRecord } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'

/** Words for what the log holds. The names themselves are for programs and stay beside them. */
const special: Record<string, string> = {
  'session.started': 'Signed in',
  'session.failed': 'Sign-in failed',
  'session.ended': 'Signed out',
  'member.role_changed': 'Role changed',
  'database.table_imported': 'Table imported',
  'webhook_endpoint.secret_shown': 'Webhook secret shown',
  'webhook_endpoint.secret_rotated': 'Next webhook secret made',
  'webhook_endpoint.secret_activated': 'Next webhook secret activated',
  'webhook_endpoint.secret_cancelled': 'Next webhook secret cancelled',
  'webhook_endpoint.test_sent': 'Webhook test sent',
  'webhook_endpoint.held_sent': 'Held webhooks sent',
  'webhook_endpoint.replayed': 'Webhooks replayed',
  'delivery.resent': 'Webhook sent again',
  'password.reset_requested': 'Password link made',
}

export const actionWords = (action: string): string => special[action] ?? nameWords(action)

/** `webhook_endpoint.created` → `Webhook endpoint created`. */
export function nameWords(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ').replace(/^api\b/, 'API').replace(/\bid$/, 'id')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `isRevoked` → `Is revoked`, `baseUrl` → `Base URL`. */
export function fieldWords(field: string): string {
  const words = wordsOf(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const wordsOf = (field: string) =>
  field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(api|url|sql)\b/g, (word) => word.toUpperCase())

const nameless: Record<ActorKind, string> = {
  user: 'Somebody',
  key: 'An API key',
  agent: 'An agent',
  service: 'Querypost',
  operator: 'The operator',
  anonymous: 'Somebody not signed in',
}

/** Who it was, and by what means where that is not the pages. */
export function actorWords({ kind, name, user }: AuditRecord['actor']): { who: string; means: string | null } {
  if (kind === 'service') return { who: nameless.service, means: user && `for ${user.name}` }
  const who = user?.name ?? nameless[kind]
  if (kind === 'key') return { who, means: `with the API key ${name ?? 'of another time'}` }
  if (kind === 'agent') return { who, means: name === null ? 'by an agent in a chat' : `by the automation ${name}` }
  return { who, means: null }
}

const methods: Record<string, string> = {
  password: 'with the password',
  oidc: 'through the sign-in provider',
  invitation: 'by an invitation',
  password_reset: 'by a link for a new password',
  welcome: 'by the link of the first start',
  other_organization: 'from another organization',
}

/** What it was done to, and which parts of it: the line below what was done. */
export function subjectWords({ subject, details }: Pick<AuditRecord, 'subject' | 'details'>): string {
  if (subject.type === 'session') return typeof details['method'] === 'string' ? (methods[details['method']] ?? '') : ''
  const changed = Object.keys(details.changes ?? {}).map(wordsOf)
  return [subject.name ?? subject.id, changed.join(', ')].filter(Boolean).join(' · ')
}

/** The page of what was acted upon, where it has one. */
export function subjectAddress({ type, id }: AuditRecord['subject']): string | undefined {
  if (type === 'model_settings' || type === 'data_connector') return paths.agentSettings
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

/** A value as one reads it; what has parts is JSON. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.length === 0 ? 'none' : value.map(valueWords).join(', ')
  }
  return JSON.stringify(value, null, 2)
}
