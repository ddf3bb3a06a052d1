import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { addToTally } from '../../store/audit/add-to-tally.ts'
import { insertAuditRecord } from '../../store/audit/insert-audit-record.ts'
import type { Tx } from '../../store/db.ts'
import { readOrganizationsOf } from '../../store/people/users-table.ts'
import { newOrderedId } from '../ids.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import type { AuditAction } from '../../model/audit-action.ts'
import { actorOf, unnamedActor, personActor } from './actor.ts'
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

/** Part of the transaction that carries out the action. */
export async function recordAction(deps: RecordDeps, by: Caller | Actor, entry: AuditEntry): Promise<void> {
  const actor = 'kind' in by ? by : actorOf(by)
  const { tx, clock } = deps
  await insertAuditRecord(tx, { ...entry, id: newOrderedId(deps, 'audit'), occurredAt: clock.now(), actor })
}

/**
 * For frequent actions: one record per actor and clock hour (UTC), with the subject and details of the first. The count is stored
 * next to the record and shown with it.
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

/** For edits: one that changes nothing is not recorded. */
export async function recordChange(
  deps: RecordDeps,
  by: Caller | Actor,
  entry: AuditEntry & { details: { changes: NonNullable<AuditDetails['changes']> } },
): Promise<void> {
  if (Object.keys(entry.details.changes).length > 0) await recordAction(deps, by, entry)
}

/** A change to a person's account is recorded in each of their organizations. */
export async function recordForAccount(
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
        : unnamedActor(kind, { organizationId, origin })
    await recordAction(deps, actor, { ...rest, subject: { type: 'user', ...user } })
  }
}
