import { type ChildProcess, spawn } from 'node:child_process'

/** A receiver that has printed its address. */
export interface RunningReceiver {
  url: string
  /** The verdicts of its judge, in the order of the vectors. */
  verdicts: string[]
  output(): string
  stop(): Promise<void>
}

/** Runs the commands one after another until one prints its address. */
export async function startReceiver(options: {
  commands: { command: string; args: string[] }[]
  folder: string
  secrets: string[]
}): Promise<RunningReceiver> {
  let output = ''
  for (const { command, args } of options.commands) {
    const receiver = spawn(command, args, {
      cwd: options.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', QUERYPOST_WEBHOOK_SECRET: options.secrets.join(' ') },
    })
    const url = await new Promise<string | undefined>((resolve, reject) => {
      const note = (bytes: Buffer) => {
        output += bytes.toString()
        // PHP's built-in server has its own format.
        const port = /(?:Listening on |Development Server \()http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
        if (port) resolve(`http://127.0.0.1:${port}/hook`)
      }
      receiver.stdout.on('data', note)
      receiver.stderr.on('data', note)
      receiver.once('error', reject)
      receiver.once('close', () => resolve(undefined))
    })
    if (url === undefined) continue
    const verdicts = Array.from(output.matchAll(/^verdict ([^:\n]*)/gm), ([, verdict]) => verdict!)
    return { url, verdicts, output: () => output, stop: () => stop(receiver) }
  }
  throw new Error(`The receiver did not start:\n${output}`)
}

async function stop(receiver: ChildProcess): Promise<void> {
  if (receiver.exitCode !== null || receiver.signalCode !== null) return
  const ended = new Promise((resolve) => receiver.once('close', resolve))
  receiver.kill('SIGKILL')
  await ended
}
