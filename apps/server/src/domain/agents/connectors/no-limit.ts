/** Disables the SDK's own request timer; time limits come from our clock, through the signal. */
export const noLimit = { timeout: 2 ** 31 - 1 } as const
