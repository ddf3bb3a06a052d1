import { Readable, Writable } from 'node:stream'
import { systemClock } from '@querypost/server/ports'
import type { Context } from '../src/command.ts'
import { runArguments } from '../src/main.ts'

/** Runs a command in this process and gives all that it has said. */
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
  const said = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof said) => {
    const output = new Writable({
      write(bytes: Buffer, _encoding, done) {
        said[name] += bytes.toString()
        world.onOutput?.(said[name])
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
  return { exitCode, ...said }
}
