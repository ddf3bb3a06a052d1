import { defineConfig } from 'vitest/config'
import { engineCounts } from './engine-counts.ts'

/** `npm run engines`: every engine's tests, and those that need a whole cluster. */
export default defineConfig({
  test: {
    include: ['test/clusters/**/*.engines.ts', 'apps/server/src/engines/**/*.test.ts'],
    // Guards against hanging; it measures nothing.
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', engineCounts],
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['apps/server/testing/global-setup.ts'],
  },
})
