import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // Child processes and database servers start inside tests; the limit is a guard against hanging, not a measure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // By default one core is left idle; many tests mostly wait, for processes and for time to pass.
    maxWorkers: 2,
    globalSetup: ['apps/server/src/testing/global-setup.ts'],
  },
})
