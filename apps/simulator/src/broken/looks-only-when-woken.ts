import type { BrokenEngine } from './broken-engine.ts'

/** Polls only after a wake-up, so that work without one, such as retries, waits forever. */
export const looksOnlyWhenWoken: BrokenEngine = {
  name: 'looks only when woken',
  noticedBy: [6, 7],
  spoil: (deps) => ({
    ...deps,
    clock: {
      ...deps.clock,
      sleep: (ms, signal) => deps.clock.sleep(ms === 1000 ? 1e12 : ms, signal),
    },
  }),
}
