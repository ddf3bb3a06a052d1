/** The machine's monotonic clock in milliseconds, which is the same for all processes on the machine. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6
