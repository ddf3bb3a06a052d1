import { describe, test } from 'vitest'

const isEverythingRun = process.env['BROWSER_TESTS'] === 'all'

/**
 * A browser test that only `npm run browser` runs, because `npm test` has a budget of CPU time. Use it for a variation of a journey that
 * `npm test` takes, or if the rules of the journey have cheaper tests of their own. A file that has only such tests is named
 * `*.journeys.test.ts` (vitest.config.ts).
 */
export const journey: (name: string, run: () => Promise<void>) => void = isEverythingRun ? test : () => {}

/** A group without any other tests. */
export const describeJourneys: (name: string, define: () => void) => void = isEverythingRun ? describe : () => {}
