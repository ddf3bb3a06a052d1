import { defineConfig } from 'vitest/config'

/** `npm run containers`: builds and starts the image in a clean Debian root, and validates the deployment files. */
export default defineConfig({
  test: {
    include: ['test/containers/**/*.containers.ts'],
    // Guards against hanging; it measures nothing.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 120_000, interval: 200 } },
    pool: 'forks',
  },
})
