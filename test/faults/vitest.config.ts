import { defineConfig } from 'vitest/config'

/** `npm run faults`: the long ones, which wait for real leases and real outages. One at a time: they need the machine. */
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
