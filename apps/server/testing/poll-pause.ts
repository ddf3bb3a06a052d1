import { setTimeout as pause } from 'node:timers/promises'

/**
 * A pause between two polls of another process. The polling ends soon after its condition holds. Shorter pauses would take CPU time from
 * that process: a poll is often a request, which takes milliseconds.
 */
export const pollPause = (): Promise<void> => pause(20)

/** For tests that count their pauses, or that poll for a state that soon passes. */
export const shortPause = (): Promise<void> => pause(2)
