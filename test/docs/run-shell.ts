import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './markdown-files.ts'
import { forkRunner } from './runner-process.ts'

/**
 * Runs shell commands as if pasted, one after another. A small process starts them, because starting a program copies the page tables of
 * its parent, which takes a test worker 20 ms of CPU time.
 */
export interface ShellRunner {
  /** Resolves with everything that the commands print. Rejects when one fails. */
  run(code: string, environment: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

/** Messages between the runner and its process. */
export interface ShellTask {
  code: string
  environment: Record<string, string>
}
export interface ShellOutcome {
  output: string
  error?: string
}

export function startShellRunner(): ShellRunner {
  const programs = path.join(root, 'node_modules', '.bin')
  const env = { PATH: `${programs}${path.delimiter}${process.env['PATH']}`, HOME: tmpdir() }
  const runner = forkRunner<ShellTask, ShellOutcome>('shell-process.ts', { folder: tmpdir() })
  return {
    run: async (code, environment) => (await runner.run({ code, environment: { ...env, ...environment } })).output,
    stop: () => runner.stop(),
  }
}
