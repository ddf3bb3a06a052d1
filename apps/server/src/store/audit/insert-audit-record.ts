import { sql } from 'kysely'
import type { AuditAction } from '../../model/audit-action.ts'
import type { Actor, AuditDetails, AuditSubject } from '../../model/audit-record.ts'
import { storableJson, storableText } from '../chats/storable-json.ts'
import type { Tx } from '../db.ts'

export interface NewAuditRecord {
  id: string
  occurredAt: Date
  action: AuditAction
  actor: Actor
  subject: AuditSubject
  details?: AuditDetails
}

/** A single statement that also looks up the current names. */
export async function insertAuditRecord(tx: Tx, record: NewAuditRecord): Promise<void> {
  const { actor, subject, details = {} } = record
  const { id: actorId, userId, origin } = actor
  await sql`
    insert into audit_log (id, organization_id, occurred_at, action, actor_kind, actor_id, actor_name, user_id, user_name,
      user_email, subject_type, subject_id, subject_name, details, address, request_id)
    select ${record.id}, ${actor.organizationId}, ${record.occurredAt}::timestamptz, ${record.action}, ${actor.kind},
      ${actorId}::text, ${nameOfActor(actor)}, ${userId}::text, users.name, users.email, ${subject.type}, ${subject.id}::text,
      ${subject.name && storableText(subject.name)}::text, ${storableJson(details)}::jsonb, ${origin?.address ?? null}::text,
      ${origin?.requestId ?? null}::text
    from (values (1)) as always left join users on users.id = ${userId}::text`.execute(tx)
}

function nameOfActor({ kind, id }: Actor) {
  if (kind === 'key') return sql`(select name from api_keys where id = ${id}::text)`
  if (kind === 'agent') {
    return sql`(select automations.name from agent_runs join automations on automations.id = agent_runs.automation_id
      where agent_runs.id = ${id}::text)`
  }
  return sql`null`
}
