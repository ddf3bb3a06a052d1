const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after failed attempts 1 to 5; the sixth attempt is the last. */
export const reportDeliveryWaitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour] as const
export const reportDeliveryAttemptsMax = reportDeliveryWaitsMs.length + 1
/** A receiver may ask for more time than our own wait, but not for so much that the report is old news. */
export const retryAfterMaxMs = 6 * hour

/** Covers a whole attempt, uploads of images included. */
export const reportDeliveryDeadlineMs = minute
/** Long enough for an attempt and for recording it; short enough that the deliveries of a dead worker are soon taken over. */
export const reportDeliveryLeaseMs = 3 * minute

/** Waits after failed attempts 1 and 2 to prepare a report; the third attempt is the last. */
export const reportJobWaitsMs = [minute, 10 * minute] as const
export const reportJobAttemptsMax = reportJobWaitsMs.length + 1
export const reportJobLeaseMs = 30 * second
/** Queries of all distinct values run one after the other. */
export const reportJobTimeLimitSeconds = 3600

/** A channel is disabled after this many deliveries in a row that failed permanently. */
export const failuresBeforeDisabling = 5
