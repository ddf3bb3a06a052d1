import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { until } from '../faults/until.ts'
import { root } from './markdown-files.ts'

/** The tour in the README: for each terminal, the commands that are typed into it, in order. */
export function readTour(): string[][] {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const [, code] = /^## Tour[^\n]*\n+```sh\n([^]*?)^```$/m.exec(readme)!
  const terminals = code!.split(/^# Terminal \d+\n/m).slice(1)
  return terminals.map((text) => text.split('\n').map((line) => line.replace(/\s+#\s.*$/, '').trim()).filter(Boolean))
}

const secretPattern = /whsec_[\w+/=]{40,}/
/** Commands that keep running, and the output by which they are ready. */
const longRunning: [RegExp, RegExp][] = [
  [/ listen /, secretPattern],
  [/receiver\.ts$/, /Listening on/],
]

/**
 * Runs the tour as a reader would, in a new folder, against a running service. Placeholders are filled in from the output
 * of earlier commands. Throws at the first command that fails; resolves with all output per terminal.
 */
export async function runTour(options: { baseUrl: string; apiKey: string; folder: string; receiverPort: number }): Promise<string[]> {
  symlinkSync(path.join(root, 'docs'), path.join(options.folder, 'docs'))
  const [[start], ...terminals] = readTour() as [string[], ...string[][]]
  if (start !== 'npm start') throw new Error(`The tour begins with ${start}`)
  const outputs: string[] = []
  const children: ChildProcess[] = []
  const found = (pattern: RegExp) => pattern.exec(outputs.join(''))?.[0] ?? 'nothing'
  const fillIn = (line: string) =>
    line
      .replace(/^npx /, '')
      .replaceAll('http://localhost:3000/q/…', () => found(/http:\S+\/q\/\w+/))
      .replaceAll('http://localhost:3000', options.baseUrl)
      .replaceAll('localhost:4000', `localhost:${options.receiverPort}`)
      .replaceAll('qp_live_…', options.apiKey)
      .replaceAll('whsec_…', () => found(secretPattern))
  try {
    for (const lines of terminals) {
      const environment: Record<string, string> = { QUERYPOST_URL: options.baseUrl, PORT: String(options.receiverPort) }
      const index = outputs.push('') - 1
      for (const line of lines) {
        const command = fillIn(line)
        if (command.startsWith('export ')) {
          for (const [, name, value] of command.matchAll(/(\w+)=(\S+)/g)) environment[name!] = value!
          continue
        }
        const ready = longRunning.find(([pattern]) => pattern.test(command))?.[1]
        await runCommand(command, { folder: options.folder, environment, ready, children, onOutput: (text) => (outputs[index] += text) })
        // Like a reader, continue when the event has arrived.
        if (/ trigger /.test(command)) await until(() => outputs.some((output) => /→ \d/.test(output)))
      }
    }
    return outputs
  } finally {
    for (const child of children) child.kill()
  }
}

function runCommand(
  command: string,
  options: {
    folder: string
    environment: Record<string, string>
    ready: RegExp | undefined
    children: ChildProcess[]
    onOutput(text: string): void
  },
): Promise<void> {
  const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`
  const env = { PATH, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...options.environment }
  // `exec`, so that a signal reaches the program itself.
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: options.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  options.children.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    const take = (bytes: Buffer) => {
      output += bytes.toString()
      options.onOutput(bytes.toString())
      if (options.ready?.test(output)) resolve()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}:\n${output}`))))
  })
}
