/**
 * Tables that are removed by age are partitioned by time (docs/decisions/0052-partitions.md). A *partition* holds the rows of a range of
 * time, and is dropped as a whole when all of them have expired. The *default* partition has no range: it takes rows that no other
 * partition takes, so that an insert never fails.
 *
 * Invariants:
 * - No row is removed before it has expired.
 * - Partitions never overlap.
 * - A row is removed at the latest a quarter of its retention after it has expired.
 */
export interface Partition {
  name: string
  /** Null for the default partition. */
  range: TimeRange | null
}

/** From `fromMs` until before `toMs`, in milliseconds since 1970; infinite at an open end. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export interface PartitionPlan {
  create: TimeRange[]
  /** Names of partitions whose rows have all expired. */
  drop: string[]
  /** Names of partitions whose expired rows are deleted one by one. */
  deleteFrom: string[]
}

const dayMs = 24 * 3600_000
const weekMs = 7 * dayMs
/** A Monday. */
const originMs = 4 * dayMs

/**
 * Whole weeks, at least two, and at most about sixteen partitions for the whole retention: every statement that doesn't know the time of
 * its rows looks into all of them.
 */
const widthOf = (keptMs: number) => weekMs * Math.max(2, Math.ceil(keptMs / (16 * weekMs)))

export function planPartitions(existing: readonly Partition[], { nowMs, keptMs }: { nowMs: number; keptMs: number }): PartitionPlan {
  const expiredBeforeMs = nowMs - keptMs
  const widthMs = widthOf(keptMs)
  const ranges = existing.flatMap(({ range }) => range ?? [])
  const firstMs = originMs + Math.floor((nowMs - originMs) / widthMs) * widthMs
  // The next one, too, so that it exists before it is needed.
  const wanted = [firstMs, firstMs + widthMs].map((fromMs) => ({ fromMs, toMs: fromMs + widthMs }))
  return {
    create: wanted.flatMap((range) => uncovered(range, ranges)),
    drop: existing.filter(({ range }) => range !== null && range.toMs <= expiredBeforeMs).map(({ name }) => name),
    deleteFrom: existing.filter(({ range }) => !isDroppedSoon(range, { expiredBeforeMs, keptMs })).map(({ name }) => name),
  }
}

/**
 * Whether a partition with expired rows can wait until it is dropped. Wide ones can't: their oldest rows would be kept too long. Nor can
 * one that should have been dropped long ago: something keeps it, such as a row that is much younger than its id.
 */
function isDroppedSoon(range: TimeRange | null, { expiredBeforeMs, keptMs }: { expiredBeforeMs: number; keptMs: number }): boolean {
  if (range === null || range.fromMs >= expiredBeforeMs) return false
  const latestMs = range.fromMs + keptMs / 4
  return range.toMs <= latestMs && expiredBeforeMs < latestMs
}

/** The parts of a range that no other range covers. */
function uncovered(range: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  let parts = [range]
  for (const other of others) {
    parts = parts.flatMap(({ fromMs, toMs }) =>
      [
        { fromMs, toMs: Math.min(toMs, other.fromMs) },
        { fromMs: Math.max(fromMs, other.toMs), toMs },
      ].filter((part) => part.fromMs < part.toMs),
    )
  }
  return parts
}
