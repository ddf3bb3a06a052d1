import { defineConfig } from 'vitest/config'

/** `npm run identity`: sign-in with a real identity provider, in a real browser. */
export default defineConfig({
  test: {
    include: ['test/identity/**/*.identity.ts'],
    // Guards against hanging; it measures nothing.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    globalSetup: ['apps/server/testing/global-setup.ts'],
  },
})
