const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after failed attempts to keep a result. The last one comes within a day, and the bytes of an expired result stay at least that long. */
export const archiveWaitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 4 * hour] as const
export const archiveAttemptsMax = archiveWaitsMs.length + 1
export const archiveLeaseMs = minute
/** Reading, compressing and storing the largest result takes a few minutes. */
export const archiveTimeLimitSeconds = 1800

/**
 * Larger documents are stored whole: finding a difference needs two documents in memory. 64 MiB are about 700,000 rows of an ordinary
 * table.
 */
export const differenceDocumentMaxBytes = 64 * 1024 * 1024

/**
 * A chain ends when opening its last document would take too long: after 200 differences, or when these take twice the space of the
 * whole document. For a table that changes by 1 % a day, both come after about 200 days (`npm run bench -- history`).
 */
export const chainLengthMax = 200
export const chainBytesMaxShare = 2

/** Whether the next difference may become part of the chain. */
export function isWorthADifference(
  chain: { keyBytes: number; chainLength: number; chainBytes: number },
  differenceBytes: number,
): boolean {
  return (
    chain.chainLength < chainLengthMax &&
    differenceBytes < chain.keyBytes / 2 &&
    chain.chainBytes + differenceBytes <= chain.keyBytes * chainBytesMaxShare
  )
}
