import type { BrokenEngine } from './broken-engine.ts'

export const brokenHistoryFills: readonly BrokenEngine[] = [
  { name: 'history fill not fenced', noticedBy: ['history fills'], workRules: { isFillFenced: false } },
  { name: 'history fill goes on after a stop', noticedBy: ['history fills'], workRules: { isFillStopHonored: false } },
  {
    name: 'history fill due by machine clock',
    noticedBy: ['history fills'],
    workRules: { nowOf: (work, kind) => (kind === 'history fills' ? work.callerNow : work.now) },
  },
  {
    // A crash between the two, and a day has no result although the fill has moved on.
    name: 'history day filled before its query ran',
    noticedBy: ['history fills'],
    spoils: {
      fills: (deps) => ({
        ...deps,
        fills: {
          ...deps.fills,
          async claim(options) {
            const fills = await deps.fills.claim(options)
            for (const fill of fills) await deps.fills.record(fill, { state: 'filled', runId: `run of ${fill.day}` }, { endedAgoMs: 0 })
            return fills
          },
        },
      }),
    },
  },
  {
    name: 'history day missed after the first failure',
    noticedBy: ['history fills'],
    spoils: {
      fills: (deps) => ({
        ...deps,
        fills: {
          ...deps.fills,
          record: (fill, decision, options) =>
            deps.fills.record(fill, decision.state === 'due' ? { state: 'missed', reason: decision.reason } : decision, options),
        },
      }),
    },
  },
]
