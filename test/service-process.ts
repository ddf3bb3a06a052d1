import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWithUs, freePort } from '@querypost/server/testing'

/** The service in a child process, as `npm start` runs it. */
export interface ServiceProcess {
  baseUrl: string
  process: ChildProcess
  /** Everything written to standard output and error so far. */
  output(): string
  /** Sends a request with the API key of the first start. */
  api(method: string, route: string, body?: unknown): Promise<{ status: number; body: never }>
  /** Signs in as the admin of the first start. Resolves with a function that sends requests with that session. */
  signIn(): Promise<(method: string, route: string, body?: unknown) => Promise<{ status: number; body: never }>>
  /** Stops the process and resolves with its exit code or signal. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>
}

export const testKey = `qp_live_${'k3y'.repeat(12)}`
export const testPassword = 'correct horse battery'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * Flags for service processes in tests: skip the optimizing WebAssembly compiler. It costs more than a CPU second for the embedded store,
 * which pays off only in a process that runs for minutes. Benchmarks run without these flags.
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
      // Caches compiled code, as `npm start` does.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
      BOOTSTRAP_PASSWORD: testPassword,
      BOOTSTRAP_API_KEY: testKey,
      ...options.environment,
    },
  })
  endWithUs(service)
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
  // Another process may have taken the free port since.
  if (options.environment?.['PORT'] === undefined && output.includes('Stop the process that uses this port')) return startServiceProcess(options)
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

/** The peak memory of a process, or its current memory on systems that don't record the peak. */
export function memoryMb({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`
  if (existsSync(status)) return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))![1]) / 1024
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** Resets the peak that `memoryMb` returns, on systems that can. */
export function resetMemoryPeak({ pid }: ChildProcess): void {
  const references = `/proc/${pid}/clear_refs`
  if (existsSync(references)) writeFileSync(references, '5')
}
