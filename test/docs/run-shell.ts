import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './markdown-files.ts'

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
  const child = fork(fileURLToPath(new URL('shell-process.ts', import.meta.url)), { cwd: tmpdir(), stdio: 'inherit' })
  return {
    async run(code, environment) {
      const answered = once(child, 'message') as Promise<[ShellOutcome]>
      child.send({ code, environment: { ...env, ...environment } } satisfies ShellTask)
      const [{ output, error }] = await answered
      if (error !== undefined) throw new Error(error)
      return output
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
