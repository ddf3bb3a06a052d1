/** The rules of delivery as numbers. The simulator runs the same engine with the same numbers. */
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits after failed attempts 1 to 7; the eighth attempt is the last. */
export const deliveryWaitsMs = [30 * second, 2 * minute, 8 * minute, 32 * minute, 2 * hour, 8.5 * hour, 24 * hour] as const
export const deliveryAttemptsMax = deliveryWaitsMs.length + 1
/** Jitter spreads out retries that failed together. It only lengthens a wait, by at most this share of it. */
export const deliveryJitterShareMax = 0.1

/** Covers everything: DNS, connect, TLS, request, response headers and body. */
export const deliveryDeadlineMs = 10 * second
export const responseMaxBytes = 64 * 1024
export const responseKeptBytes = 4 * 1024

/** Consecutive events that use up all their attempts: at the third the endpoint's creator is warned, at the fifth it is disabled. */
export const failuresBeforeWarning = 3
export const failuresBeforeDisabling = 5

/** Long enough for an attempt and for recording it in a busy store; short enough that a dead worker's work is soon taken over. */
export const deliveryLeaseMs = 30 * second
/**
 * An attempt that has not started by then is not started at all: its lease might expire during the attempt, and another worker
 * might make the next one.
 */
export const beginWithinMs = deliveryLeaseMs - deliveryDeadlineMs - 5 * second
