const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after failed attempts to compare two results. After the last one, the change is recorded without a comparison of rows. */
export const feedWaitsMs = [10 * second, minute, 10 * minute, hour] as const
export const feedAttemptsMax = feedWaitsMs.length + 1
export const feedLeaseMs = minute
/** Comparing the two largest results takes a few minutes. */
export const feedTimeLimitSeconds = 1800
