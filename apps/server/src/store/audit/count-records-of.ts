import { sql } from 'kysely'
import type { AuditAction } from '../../model/audit-action.ts'
import type { Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'

/**
 * The number of recent records of an action on a person, in the organization that has the most, counted up to `countMax`. A second
 * transaction that counts for the same person waits for this one to end, so it counts the records written here.
 */
export async function countRecordsOf(
  tx: Tx,
  options: { action: AuditAction; subjectId: string; occurredAfter: Date; countMax: number },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${sql.lit(locksOfOne.auditRecords)}, hashtext(${options.subjectId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select coalesce(max(counted.count), 0)::integer as count
    from memberships, lateral (
      select count(*) as count from (
        select from audit_log
        where organization_id = memberships.organization_id and subject_id = ${options.subjectId}
          and action = ${options.action} and occurred_at > ${options.occurredAfter}
        limit ${options.countMax}) as recent) as counted
    where memberships.user_id = ${options.subjectId}`.execute(tx)
  return rows[0]!.count
}
