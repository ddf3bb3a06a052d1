import { setTimeout as pause } from 'node:timers/promises'

/**
 * Between two looks at what another process is at. It is over as soon as it is, not after some time: the pause only leaves that
 * process a processor to work on.
 */
export const giveWay = (): Promise<void> => pause(2)
