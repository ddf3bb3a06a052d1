import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './markdown-files.ts'

/** Runs programs one after another in a child process, as files that can import the repository's packages. */
export interface TypescriptRunner {
  /** Resolves with the argument of the last `console.log`, as JSON. */
  run(code: string, environment: Record<string, string>): Promise<unknown>
  stop(): Promise<void>
}

/** Messages between the runner and its process. */
export interface Task {
  file: string
  environment: Record<string, string>
}
export interface Outcome {
  logged?: unknown
  error?: string
}

export async function startTypescriptRunner(): Promise<TypescriptRunner> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-examples-'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  const program = fileURLToPath(new URL('typescript-process.ts', import.meta.url))
  const child = fork(program, { cwd: folder, stdio: 'inherit' })
  let count = 0
  return {
    async run(code, environment) {
      const file = path.join(folder, `example-${++count}.ts`)
      await writeFile(file, code)
      const answered = once(child, 'message') as Promise<[Outcome]>
      child.send({ file, environment } satisfies Task)
      const [{ logged, error }] = await answered
      if (error !== undefined) throw new Error(error)
      return logged
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
