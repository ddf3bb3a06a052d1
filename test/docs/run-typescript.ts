import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './markdown-files.ts'
import { forkRunner } from './runner-process.ts'

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
  const runner = forkRunner<Task, Outcome>('typescript-process.ts', { folder })
  let count = 0
  return {
    async run(code, environment) {
      const file = path.join(folder, `example-${++count}.ts`)
      await writeFile(file, code)
      return (await runner.run({ file, environment })).logged
    },
    async stop() {
      await runner.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
