import { Readable, Writable } from 'node:stream'
import { systemClock } from '@querypost/server/ports'
import type { Context } from '../src/command.ts'
import { runArguments } from '../src/main.ts'

/** Runs a command in this process and resolves with its exit code and output. */
export async function tryCommand(
  args: string[],
  world: {
    environment?: Record<string, string>
    stdin?: string | Uint8Array
    fetch?: typeof fetch
    clock?: Context['clock']
    isTerminal?: boolean
    /** The width of the terminal. */
    columns?: number
    signal?: AbortSignal
    onOutput?(output: string): void
  } = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof written) => {
    const output = new Writable({
      write(bytes: Buffer, _encoding, done) {
        written[name] += bytes.toString()
        world.onOutput?.(written[name])
        done()
      },
    })
    return Object.assign(output, { isTTY: world.isTerminal === true, ...(world.columns && { columns: world.columns }) })
  }
  const exitCode = await runArguments(
    args,
    {
      environment: world.environment ?? {},
      stdin: Readable.from(world.stdin === undefined ? [] : [Buffer.from(world.stdin)]),
      stdout: outputOf('stdout'),
      stderr: outputOf('stderr'),
      clock: world.clock ?? systemClock,
      fetch: world.fetch ?? fetch,
    },
    { onInterrupt: () => world.signal ?? new AbortController().signal },
  )
  return { exitCode, ...written }
}
