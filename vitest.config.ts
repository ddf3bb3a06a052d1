import path from 'node:path'
import { defineConfig } from 'vitest/config'

// As `npm start` has it: what was compiled once is not compiled again, by tests and by the processes they start.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled')

export default defineConfig({
  test: {
    include: ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // Child processes and database servers start inside tests; the limit is a guard against hanging, not a measure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The same guard for what is looked at again and again.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Modules are loaded once a worker, not once a file: a quarter of the time. Nothing of ours keeps state in a module that a test
    // could leave behind for another.
    isolate: false,
    // Twice the cores of the smallest machine: many tests mostly wait, for processes, for a browser and for time to pass.
    maxWorkers: 4,
    globalSetup: ['apps/server/testing/global-setup.ts', 'test/e2e/shared-service.ts'],
  },
})
