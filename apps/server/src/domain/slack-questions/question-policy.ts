const second = 1_000
const minute = 60 * second

/** Waits after failed attempts 1 to 6 of a step; the seventh attempt is the last. */
export const slackQuestionWaitsMs = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 60 * minute] as const
export const slackQuestionAttemptsMax = slackQuestionWaitsMs.length + 1
/** Slack may ask for more time than our own wait, but not for so much that nobody waits for the answer. */
export const slackRetryAfterMaxMs = 60 * minute

/** The agent's end wakes the worker. It also looks this often, to tell of progress and in case the wake-up came too early. */
export const slackProgressEveryMs = 10 * second

/** Covers a whole attempt, charts included. */
export const slackAttemptDeadlineMs = 2 * minute
/** Long enough for an attempt and for recording it. */
export const slackQuestionLeaseMs = 4 * minute
