/**
 * A *sweep* removes rows of one kind that are no longer needed, one *batch* at a time. A batch is small enough that nothing waits
 * for it: other work gets its turn between two batches, and a process that is asked to stop stops there.
 *
 * Several processes may sweep at once. Every batch therefore skips rows that another process has locked.
 */
export interface Sweep {
  /** What it removes: a label of the metric and a field of the log. */
  kind: SweptKind
  removeBatch(): Promise<SweptBatch>
}

export interface SweptBatch {
  rows: number
  /** Another batch right after this one would find more to do. */
  hasMore: boolean
}

export const sweptKinds = [
  'results',
  'result_bytes',
  'kept_results',
  'archive_objects',
  'archive_bytes',
  'former_kept_results',
  'archive_jobs',
  'reference_changes',
  'chats',
  'queries_expired',
  'queries_purged',
  'runs',
  'cost_usage',
  'model_usage',
  'evaluations',
  'alert_history',
  'board_images',
  'reference_versions',
  'chat_versions',
  'automation_versions',
  'references',
  'boards',
  'restored_items',
  'folders',
  'sessions',
  'links',
  'sign_in_budgets',
  'api_budgets',
  'kept_lists',
  'idempotent_answers',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_events',
  'notifications',
  'result_measures',
  'report_deliveries',
  'report_jobs',
  'report_contents',
  'report_downloads',
  'reports',
  'slack_questions',
  'audit_records',
  'key_use',
] as const
export type SweptKind = (typeof sweptKinds)[number]

export const batchRows = 1000

/** A sweep whose statement removes up to `batchSize` rows and returns how many there were. */
export function sweepOf(kind: SweptKind, remove: (batchSize: number) => Promise<number>): Sweep {
  return {
    kind,
    async removeBatch() {
      const rows = await remove(batchRows)
      return { rows, hasMore: rows >= batchRows }
    },
  }
}
