import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@querypost/server/testing'

/** The real service as a process of its own, as `npm start` runs it. */
export interface ServiceProcess {
  baseUrl: string
  process: ChildProcess
  /** All it has written to its terminal so far. */
  output(): string
  /** A request with the key of the first start; the answer's body as JSON. */
  api(method: string, route: string, body?: unknown): Promise<{ status: number; body: never }>
  /** Signs in as the admin of the first start; gives what makes requests to the pages' routes with that session. */
  signIn(): Promise<(method: string, route: string, body?: unknown) => Promise<{ status: number; body: never }>>
  /** Resolves with how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>
}

export const testKey = `qp_live_${'k3y'.repeat(12)}`
export const testPassword = 'correct horse battery'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * Flags for service processes in tests: skip the optimizing WebAssembly compiler. It costs the embedded store more than a CPU second,
 * which pays off only in a process that lives for minutes. Benchmarks run without these flags.
 */
export const quickToCompile = process.env['QUERYPOST_TEST_FOLDER'] === undefined ? [] : ['--liftoff-only']

export const newDataDirectory = () => mkdtemp(path.join(tmpdir(), 'querypost-process-'))

/** Starts the service. Resolves when it prints that it is running, or when it has exited. */
export async function startServiceProcess(options: {
  dataDirectory: string
  environment?: Record<string, string>
  /** Runs it at a pseudo-terminal, where SIGINT is sent by typing Ctrl+C. */
  isAtTerminal?: boolean
  /** Called with the process before it is running. */
  onSpawned?(service: ChildProcess): void
}): Promise<ServiceProcess> {
  const port = options.environment?.['PORT'] ?? String(await freePort())
  const node = path.join(root, 'node_modules/.bin/node')
  const command = [node, ...quickToCompile, 'apps/cli/bin/querypost.mjs', 'start']
  const [program, ...args] = options.isAtTerminal ? atTerminal(command) : command
  const service = spawn(program!, args, {
    cwd: root,
    stdio: [options.isAtTerminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: port,
      DATA_DIR: options.dataDirectory,
      LOG_LEVEL: 'warn',
      // As `npm start` has it: what was compiled once is not compiled again.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
      BOOTSTRAP_PASSWORD: testPassword,
      BOOTSTRAP_API_KEY: testKey,
      ...options.environment,
    },
  })
  options.onSpawned?.(service)
  let output = ''
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    service.once('close', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve) => {
    let isRunning = false
    const note = (bytes: Buffer) => {
      output += bytes.toString()
      if (isRunning || !/Querypost (is running at|worker is running)/.test(output)) return
      isRunning = true
      resolve()
    }
    service.stdout!.on('data', note)
    service.stderr!.on('data', note)
    void ended.then(() => resolve())
  })
  const baseUrl = `http://127.0.0.1:${port}`
  async function send(method: string, route: string, headers: Record<string, string>, body?: unknown) {
    const answer = await fetch(`${baseUrl}${route}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never }
  }
  return {
    baseUrl,
    process: service,
    output: () => output,
    api: (method, route, body) => send(method, route, { authorization: `Bearer ${testKey}` }, body),
    async signIn() {
      const signedIn = await fetch(`${baseUrl}/app/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          email: options.environment?.['BOOTSTRAP_EMAIL'] ?? 'admin@localhost',
          password: testPassword,
        }),
      })
      const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
      return (method, route, body) => send(method, route, { cookie }, body)
    },
    stop(signal = 'SIGTERM') {
      if (options.isAtTerminal && signal === 'SIGINT') service.stdin!.write('\u0003')
      else service.kill(signal)
      return ended
    },
  }
}

/** `script` runs a command at a pseudo-terminal and exits as it does. Its arguments differ between util-linux and BSD. */
function atTerminal(command: string[]): string[] {
  if (process.platform === 'darwin') return ['script', '-q', '/dev/null', ...command]
  return ['script', '-qefc', `exec ${command.map((word) => `'${word}'`).join(' ')}`, '/dev/null']
}

/** The most memory a process has held so far, where the system keeps that figure; else what it holds now. */
export function memoryMb({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`
  if (existsSync(status)) return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))![1]) / 1024
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** From here on `memoryMb` tells the most that the process holds from here on, where the system can forget. */
export function forgetPeak({ pid }: ChildProcess): void {
  const references = `/proc/${pid}/clear_refs`
  if (existsSync(references)) writeFileSync(references, '5')
}
