/**
 * The tables that are partitioned by time, and the column that says when a row expires. Events are partitioned by id, which begins with
 * their time; the audit log is partitioned by the time itself (docs/decisions/0052-partitions.md).
 */
export const timeColumns = {
  webhook_events: 'created_at',
  audit_log: 'occurred_at',
} as const

export type PartitionedTable = keyof typeof timeColumns
