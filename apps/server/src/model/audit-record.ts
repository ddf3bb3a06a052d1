import type { Origin } from './caller.ts'
import type { AuditAction } from './audit-action.ts'

/**
 * The *audit log* of an organization records who did what to its people, settings and data.
 *
 * - A *record* describes one *action* (`audit-action.ts`): when, by which *actor*, to which *subject*, and what changed. It is
 *   written in the transaction of the action itself, so that neither exists without the other, and it is never changed.
 * - Names (of the person, the key, the subject) are those at the time. They stay even if all of these are deleted.
 * - *Details* hold what changed, before and after. They never contain a password, key, secret, header or result, nor the part of a
 *   URL after its path; long texts are shortened.
 * - Frequent actions, such as running unsaved SQL, give one record an hour. The count is stored next to the record and shown in its
 *   details.
 * - A change to a person's account is recorded in each of their organizations.
 */
export interface AuditRecord {
  id: string
  occurredAt: Date
  action: AuditAction
  actor: AuditActor
  subject: AuditSubject
  details: AuditDetails
  /** The client's address, as its socket reports it; null for what no request caused. */
  address: string | null
  requestId: string | null
}

/**
 * - `user`: a person using the pages;
 * - `key`: a program with that person's API key;
 * - `agent`: a run of an automation, or an answer in a chat, on behalf of that person;
 * - `service`: Querypost itself, for example when it disables an endpoint; on behalf of a person if one is named;
 * - `operator`: the operator of the service, by a command;
 * - `anonymous`: someone who was not signed in.
 */
export const actorKinds = ['user', 'key', 'agent', 'service', 'operator', 'anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]

export interface AuditActor {
  kind: ActorKind
  /** `user_…`, `key_…` or `arun_…`. */
  id: string | null
  /** The name of the key or the automation. */
  name: string | null
  user: { id: string; name: string; email: string } | null
}

export const subjectTypes = [
  'user',
  'session',
  'invitation',
  'api_key',
  'organization',
  'database',
  'query',
  'reference',
  'board',
  'board_image',
  'folder',
  'group',
  'comment',
  'public_link',
  'embed_secret',
  'git_repository',
  'webhook_endpoint',
  'delivery',
  'automation',
  'channel',
  'report',
  'report_address',
  'report_delivery',
  'chat',
  'model_settings',
  'model_budget',
  'question_set',
  'data_connector',
  'knowledge',
  'suggestion',
  'audit_log',
] as const
export type SubjectType = (typeof subjectTypes)[number]

export interface AuditSubject {
  type: SubjectType
  id: string | null
  name: string | null
}

export type AuditValue = string | number | boolean | null | AuditValue[] | { [key: string]: AuditValue }

export interface AuditDetails {
  changes?: Record<string, { before: AuditValue; after: AuditValue }>
  [key: string]: AuditValue | AuditDetails['changes'] | undefined
}

/** The actor of an action. Its names are looked up when the record is written. */
export interface Actor {
  organizationId: string
  kind: ActorKind
  id: string | null
  userId: string | null
  origin: Origin | undefined
}

/** Selects records that match all given criteria. */
export interface AuditFilter {
  /** `user_…` (including actions of their keys), `key_…` or `arun_…`. */
  actorId?: string
  actions?: AuditAction[]
  subjectId?: string
  /** The id of a record, a request, an actor or a subject. */
  found?: string
  from?: Date
  to?: Date
}
