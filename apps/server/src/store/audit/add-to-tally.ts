import { sql } from 'kysely'
import type { AuditAction } from '../../model/audit-action.ts'
import type { Tx } from '../db.ts'

/**
 * Counts an action of an actor within an hour. Returns true for the first one, for which the caller must write a record under
 * `recordId`. The primary key decides between concurrent processes: the second waits until the first commits or rolls back.
 */
export async function addToTally(
  tx: Tx,
  tally: { organizationId: string; action: AuditAction; actor: string; hour: Date; recordId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ record_id: string }>`
    insert into audit_tallies (organization_id, action, actor, hour, record_id, action_count, last_at)
    values (${tally.organizationId}, ${tally.action}, ${tally.actor}, ${tally.hour}, ${tally.recordId}, 1, ${tally.now})
    on conflict (organization_id, action, actor, hour) do update
    set action_count = audit_tallies.action_count + 1, last_at = greatest(audit_tallies.last_at, excluded.last_at)
    returning record_id`.execute(tx)
  return rows[0]!.record_id === tally.recordId
}
