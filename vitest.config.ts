import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Share compiled code between test workers and the processes they start, as `npm start` does.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled')

/**
 * These tests start processes of engines, services and programs, or force full garbage collections. They come first, while the workers are
 * small: starting a process copies the page tables of a worker, 1 ms for an empty one and 50 to 100 ms for one that has run hundreds of files.
 */
const first = [
  'results/downloads/memory.test.ts',
  'results/shared-results.test.ts',
  'results/file-results.test.ts',
  'src/engines/',
  'src/domain/history/',
  'src/domain/databases/',
  'src/domain/agents/digest/',
  'src/http/audited-routes.test.ts',
  'src/http/openapi.test.ts',
  'src/http/row-',
  'src/http/routes/history-routes.test.ts',
  'src/http/routes/change-feed-routes.test.ts',
  'src/http/routes/app/database-',
  'src/http/routes/app/member-uploads.test.ts',
  'src/http/routes/app/saved-queries-as-tables.test.ts',
  'apps/cli/',
  'packages/',
  'test/fuzz/',
  'test/snippets/',
  'test/processes/',
  'test/faults/',
]

/** Browser tests that only `npm run browser` runs, as those in `test/e2e/journey.ts`. */
const journeys = process.env['BROWSER_TESTS'] === 'all' ? [] : ['test/e2e/*.journeys.test.ts']

const isFirst = ({ moduleId }: TestSpecification) => first.some((part) => moduleId.includes(part))

class SmallWorkersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

export default defineConfig({
  test: {
    include: ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...journeys],
    // Tests start processes and database servers. The timeout guards against hanging; it measures nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The same guard for polled expectations.
    expect: { poll: { timeout: 60_000, interval: 150 } },
    pool: 'forks',
    // Load modules once per worker, not once per file, which saves a quarter of the time. Our modules keep no state that one test could
    // leave behind for another.
    isolate: false,
    // Each worker loads and optimizes the whole service, and starts a browser and an embedded store: four of them take a quarter more CPU time.
    maxWorkers: 2,
    // Each 64 MB of results and embedded stores would otherwise begin another marking of the whole heap, which takes a fifth of the CPU time
    // of the tests of stores and engines. These workers use some 2 GB instead.
    execArgv: ['--no-incremental-marking', '--max-semi-space-size=64', '--external-memory-accounted-in-global-limit'],
    sequence: { sequencer: SmallWorkersFirst },
    globalSetup: ['apps/server/testing/global-setup.ts', 'test/e2e/shared-service.ts'],
  },
})
