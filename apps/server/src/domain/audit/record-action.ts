import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { addToTally } from '../../store/audit/add-to-tally.ts'
import { insertAuditRecord } from '../../store/audit/insert-audit-record.ts'
import type { Tx } from '../../store/db.ts'
import { readOrganizationsOf } from '../../store/people/users-table.ts'
import { newOrderedId } from '../ids.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import type { AuditAction } from '../../model/audit-action.ts'
import { actorOf, namelessActor, personActor } from './actor.ts'
import type { Actor, AuditDetails, AuditSubject } from '../../model/audit-record.ts'

export interface RecordDeps {
  tx: Tx
  clock: Clock
  random: Random
}

export interface AuditEntry {
  action: AuditAction
  subject: AuditSubject
  details?: AuditDetails
}

/** A step of the transaction that the action itself is. */
export async function recordAction(deps: RecordDeps, by: Caller | Actor, entry: AuditEntry): Promise<void> {
  const actor = 'kind' in by ? by : actorOf(by)
  const { tx, clock } = deps
  await insertAuditRecord(tx, { ...entry, id: newOrderedId(deps, 'audit'), occurredAt: clock.now(), actor })
}

/**
 * For what an actor does again and again: one record an hour (of the clock, UTC) of each actor, with the first one's subject and
 * details. How often it was done by then is counted beside the record, and is shown with it.
 */
export async function recordOnceAnHour(deps: RecordDeps, by: Caller | Actor, entry: AuditEntry): Promise<void> {
  const actor = 'kind' in by ? by : actorOf(by)
  const { tx, clock } = deps
  const now = clock.now()
  const id = newOrderedId(deps, 'audit')
  const isFirst = await addToTally(tx, {
    organizationId: actor.organizationId,
    action: entry.action,
    actor: `${actor.kind} ${actor.id ?? actor.userId ?? ''}`,
    hour: new Date(now.getTime() - (now.getTime() % hourMs)),
    recordId: id,
    now,
  })
  if (isFirst) await insertAuditRecord(tx, { ...entry, id, occurredAt: now, actor })
}

const hourMs = 3600_000

/** Where only what has changed is told of: an edit that changes nothing is no action. */
export async function recordChange(
  deps: RecordDeps,
  by: Caller | Actor,
  entry: AuditEntry & { details: { changes: NonNullable<AuditDetails['changes']> } },
): Promise<void> {
  if (Object.keys(entry.details.changes).length > 0) await recordAction(deps, by, entry)
}

/** What concerns a person's account concerns every organization of theirs. */
export async function recordOfAccount(
  deps: RecordDeps,
  by: { kind: 'person' | 'operator' | 'anonymous'; origin?: Origin | undefined },
  entry: Omit<AuditEntry, 'subject'> & { user: { id: string; name: string } },
): Promise<void> {
  const { user, ...rest } = entry
  const { kind, origin } = by
  for (const { id: organizationId } of await readOrganizationsOf(deps.tx, user.id)) {
    const actor =
      kind === 'person'
        ? personActor({ organizationId, userId: user.id, origin })
        : namelessActor(kind, { organizationId, origin })
    await recordAction(deps, actor, { ...rest, subject: { type: 'user', ...user } })
  }
}
