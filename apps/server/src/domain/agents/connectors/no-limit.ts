/** For requests of the SDK, which would set a timer of its own: time limits come from the clock, by signal. */
export const noLimit = { timeout: 2 ** 31 - 1 } as const
