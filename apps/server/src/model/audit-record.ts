import type { Origin } from './caller.ts'
import type { AuditAction } from './audit-action.ts'

/**
 * The *audit log* of an organization tells who did what to its people, settings and data.
 *
 * - A *record* tells of one *action* (`audit-action.ts`): when, by which *actor*, to which *subject*, and what changed. It is written
 *   in the transaction of the action itself, so that neither is without the other, and nothing ever changes it.
 * - Names are those of the moment: of the person, of the key, of the subject. They stay when all of these are gone.
 * - *Details* hold what changed, before and after. No password, key, secret, header or result stands there, and of a URL nothing
 *   behind its path; long texts are shortened.
 * - What an actor does again and again, as running SQL that nobody saves, is one record an hour. How often it was done is counted beside
 *   the record and shown among its details.
 * - What concerns a person's account is recorded in each organization of theirs.
 */
export interface AuditRecord {
  id: string
  occurredAt: Date
  action: AuditAction
  actor: AuditActor
  subject: AuditSubject
  details: AuditDetails
  /** Where the request came from, as its socket says; null for what no request caused. */
  address: string | null
  requestId: string | null
}

/**
 * - `user`: a person at the pages;
 * - `key`: a program with that person's API key;
 * - `agent`: a run of an automation, or an answer in a chat, for that person;
 * - `service`: Querypost by itself, as when it disables an endpoint; for a person where one is named;
 * - `operator`: whoever operates the service, by a command;
 * - `anonymous`: somebody who was not signed in.
 */
export const actorKinds = ['user', 'key', 'agent', 'service', 'operator', 'anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]

export interface AuditActor {
  kind: ActorKind
  /** `user_…`, `key_…` or `arun_…`. */
  id: string | null
  /** Of the key, or of the automation. */
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
  'webhook_endpoint',
  'delivery',
  'automation',
  'model_settings',
  'data_connector',
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

/** Who acts. The names are looked up when the record is written. */
export interface Actor {
  organizationId: string
  kind: ActorKind
  id: string | null
  userId: string | null
  origin: Origin | undefined
}

/** Which records are wanted; all that is named must be met. */
export interface AuditFilter {
  /** `user_…` with what their keys did too, `key_…` or `arun_…`. */
  actorId?: string
  actions?: AuditAction[]
  subjectId?: string
  /** The id of a record, a request, an actor or a subject. */
  found?: string
  from?: Date
  to?: Date
}
