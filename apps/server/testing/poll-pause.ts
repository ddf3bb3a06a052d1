import { setTimeout as pause } from 'node:timers/promises'

/**
 * A short pause between two polls of another process. The polling ends as soon as its condition holds; the pause only leaves that
 * process some CPU time.
 */
export const pollPause = (): Promise<void> => pause(2)
