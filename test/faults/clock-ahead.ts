import { fileURLToPath } from 'node:url'

/** The environment of a process whose machine's clock is ahead by this, or behind if it is negative. */
export const clockAhead = (aheadMs: number) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('skewed-clock.ts', import.meta.url))}`,
  CLOCK_AHEAD_MS: String(aheadMs),
})
