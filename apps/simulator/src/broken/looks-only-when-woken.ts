import type { BrokenEngine } from './broken-engine.ts'

/** Looks for work only when somebody says so: what nobody announces, as every retry, waits for ever. */
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
