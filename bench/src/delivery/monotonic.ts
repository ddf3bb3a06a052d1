/** Milliseconds of the machine's monotonic clock: of two processes on one machine it is the same clock. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6
