import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/**
 * Starts a child process. If no file descriptor is left, `spawn` returns a process without streams and reports the error as an event. Without
 * a listener, that event would end the service. This throws instead.
 */
export function startChild(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options)
  // Types do not tell that.
  if ((child.stdio as unknown) !== undefined) return child
  child.once('error', () => {})
  throw new Error('A process could not be started: too many files are open.')
}
