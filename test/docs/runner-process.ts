import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process that does one task after another, each message answered by one. */
export interface RunnerProcess<Task extends object, Outcome extends { error?: string }> {
  /** Rejects when the process reports an error. */
  run(task: Task): Promise<Outcome>
  stop(): Promise<void>
}

/** `program`: a file beside this one. */
export function forkRunner<Task extends object, Outcome extends { error?: string }>(
  program: string,
  { folder }: { folder: string },
): RunnerProcess<Task, Outcome> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), { cwd: folder, stdio: 'inherit' })
  return {
    async run(task) {
      const answered = once(child, 'message') as Promise<[Outcome]>
      child.send(task)
      const [outcome] = await answered
      if (outcome.error !== undefined) throw new Error(outcome.error)
      return outcome
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
