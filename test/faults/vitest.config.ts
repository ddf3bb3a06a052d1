import { defineConfig } from 'vitest/config'

/** `npm run faults`: the long tests with real leases and outages. They run one at a time, because each needs the whole machine. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
    globalSetup: ['apps/server/testing/global-setup.ts'],
  },
})
