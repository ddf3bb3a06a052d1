import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Check, failed, ok } from '../check.ts'
import type { Examination } from './examine.ts'

/** DuckDB runs people's SQL in child processes; where one cannot be started, no query runs. */
export const engine: Examination = {
  name: 'duckdb',
  async look({ clock, signal, workFolder }) {
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
    return ok('duckdb', `${outcome.version} answered in a process of its own, in ${outcome.durationMs} ms.`)
  const remedy =
    'Its processes need /bin/sh, some 700 MB of memory, and the package @duckdb/node-bindings for this system: ' +
    'install again.'
  return failed('duckdb', `Its process does not work: ${outcome.failure}`, remedy)
}
