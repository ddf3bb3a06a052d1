import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findBigqueryEmulator } from '../../../../scripts/install-bigquery-emulator.mjs'
import { pollPause } from '../poll-pause.ts'
import { freePorts } from './free-ports.ts'

/** An emulator of BigQuery's REST API on loopback, with DuckDB below. It accepts every request without a token. */
export interface BigqueryEmulator {
  port: number
  /** Sends a request to a path below the API. Throws the server's error. */
  call(method: 'POST' | 'GET', path: string, body?: unknown): Promise<unknown>
  stop(): Promise<void>
}

export const hasBigqueryEmulator = findBigqueryEmulator() !== undefined

export async function startBigqueryEmulator(): Promise<BigqueryEmulator> {
  const found = findBigqueryEmulator()
  if (!found) throw new Error('The BigQuery emulator is not installed. `npm run engines` installs it.')
  const [port, grpcPort] = await freePorts(2)
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bigquery-'))

  async function call(method: 'POST' | 'GET', apiPath: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}/bigquery/v2${apiPath}`, {
      method,
      // The emulator closes idle connections without notice, and a busy machine lets them idle.
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }

  async function start(): Promise<ChildProcess> {
    const { modules, home } = found!
    const ports = ['--rest-port', String(port), '--grpc-port', String(grpcPort)]
    const server = spawn('python3', ['-m', 'bqemulator', 'start', ...ports, '--ephemeral', '--log-level', 'error'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home, PYTHONPATH: modules },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    server.stderr.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-8192)
    })
    for (;;) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error(`The BigQuery emulator ended:\n${output}`)
      const isReady = await call('GET', '/projects/acme/datasets').then(
        () => true,
        () => false,
      )
      if (isReady) return server
      await pollPause()
    }
  }

  const server = await start()
  return {
    port: port!,
    call,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
