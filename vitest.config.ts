import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // Child processes and database servers start inside tests; the limit is a guard against hanging, not a measure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    globalSetup: ['apps/server/src/testing/global-setup.ts'],
  },
})
