import type { KnowledgeVersion } from '../../api/knowledge.ts'

/** What happened with a version: “Added”, “Changed”, “Deleted”, “Restored”, “Verified” or “Mark removed”. */
export function describeChange({ kind, before, after, restoredNumber }: Pick<KnowledgeVersion, 'kind' | 'before' | 'after' | 'restoredNumber'>): string {
  if (kind === 'verified_query') return after === null ? 'Mark removed' : 'Verified'
  if (restoredNumber !== null) return `Version ${restoredNumber} restored`
  if (after === null) return 'Deleted'
  return before === null ? 'Added' : 'Changed'
}
