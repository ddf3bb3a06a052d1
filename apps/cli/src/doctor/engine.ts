import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Check, failed, ok } from '../checks.ts'
import type { Examination } from './examination.ts'

/** DuckDB runs queries in child processes. If none can be started, no query runs. */
export const engine: Examination = {
  name: 'duckdb',
  async run({ clock, signal, workFolder }) {
    const { openDuckdbEngine } = await import('@querypost/server/engines')
    const { makeEmptyDatabase } = await import('@querypost/server/engines')
    const { openLog } = await import('@querypost/server/log')
    const file = path.join(workFolder, 'empty.duckdb')
    const temporaryDirectory = path.join(workFolder, 'temporary')
    await mkdir(temporaryDirectory, { recursive: true })
    await makeEmptyDatabase(file)
    const opened = openDuckdbEngine({ file, temporaryDirectory, clock, log: openLog({ level: 'silent' }) })
    const startMs = clock.monotonicMs()
    try {
      const { version } = await opened.test(signal)
      return [judgeEngine({ version, durationMs: Math.round(clock.monotonicMs() - startMs) })]
    } catch (error) {
      signal.throwIfAborted()
      return [judgeEngine({ failure: (error as Error).message })]
    } finally {
      await opened.close()
    }
  },
}

export function judgeEngine(outcome: { version: string; durationMs: number } | { failure: string }): Check {
  if ('version' in outcome)
    return ok('duckdb', `${outcome.version} answered in a child process in ${outcome.durationMs} ms.`)
  const remedy =
    'DuckDB needs /bin/sh, about 700 MB of memory, and the package @duckdb/node-bindings for this system. ' +
    'Reinstall if it is missing.'
  return failed('duckdb', `The DuckDB process failed: ${outcome.failure}`, remedy)
}
