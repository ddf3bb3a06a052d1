import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { insertAuditRecord } from '../../store/audit/insert-audit-record.ts'
import type { Tx } from '../../store/db.ts'
import { readOrganizationsOf } from '../../store/people/users.ts'
import { newOrderedId } from '../ids.ts'
import type { Caller, Origin } from '../people/caller.ts'
import type { AuditAction } from './actions.ts'
import { type Actor, actorOf, namelessActor, personActor } from './actor.ts'
import type { AuditDetails, AuditSubject } from './audit-record.ts'

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
