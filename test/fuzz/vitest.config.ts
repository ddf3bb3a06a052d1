import { defineConfig } from 'vitest/config'

/** `npm run fuzz`: a given number of requests in one process. */
export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.fuzz.ts'],
    testTimeout: 0,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['verbose'],
    globalSetup: ['apps/server/testing/global-setup.ts'],
  },
})
