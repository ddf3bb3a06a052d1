/**
 * The tables that are partitioned by time, and the column that says when a row expires. Events are partitioned by id, which begins with
 * their time; the audit log is partitioned by the time itself (docs/decisions/0052-partitions.md).
 *
 * A statement that locks or changes rows of other tables must read these in its last step, never in a `with` query or a subquery: PostgreSQL 18
 * may crash otherwise (docs/decisions/0069-partitions-beside-locks.md).
 */
export const timeColumns = {
  webhook_events: 'created_at',
  audit_log: 'occurred_at',
} as const

export type PartitionedTable = keyof typeof timeColumns
