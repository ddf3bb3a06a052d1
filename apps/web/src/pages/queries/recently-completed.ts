import type { FoundReference } from '../../api/references.ts'

type CompletedReference = FoundReference & { latestRun: NonNullable<FoundReference['latestRun']> }

/** The references whose latest run completed, the latest first. */
export function recentlyCompleted(references: FoundReference[], count: number): CompletedReference[] {
  const endOf = ({ latestRun }: CompletedReference) => latestRun.completedAt ?? latestRun.runAt
  return references
    .filter((reference): reference is CompletedReference => reference.latestRun?.status === 'completed')
    .toSorted((a, b) => endOf(b).localeCompare(endOf(a)))
    .slice(0, count)
}
