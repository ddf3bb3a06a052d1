import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// As `npm start` has it: what was compiled once is not compiled again, by tests and by the processes they start.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled')

/** Their tests collect all garbage again and again, which in a worker that has run a hundred files takes half a second each time. */
const measuringMemory = ['results/downloads/memory.test.ts', 'results/shared-results.test.ts', 'results/file-results.test.ts']

const isFirst = ({ moduleId }: TestSpecification) => measuringMemory.some((name) => moduleId.endsWith(name))

class MemoryFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

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
    sequence: { sequencer: MemoryFirst },
    globalSetup: ['apps/server/testing/global-setup.ts', 'test/e2e/shared-service.ts'],
  },
})
