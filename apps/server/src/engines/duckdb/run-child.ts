import { spawn } from 'node:child_process'
import { childEnvironment } from './child-environment.ts'
import { launchScript } from './process.ts'

/**
 * Runs a program that uses DuckDB for one request and exits: in its own folder, with limited memory and none of the service's environment.
 * It is killed when the signal aborts.
 */
export function runChild(options: {
  file: string
  request: { folder: string }
  memoryLimitMb: number
  /** The beginning of the error message if it fails. */
  failure: string
  signal: AbortSignal
}): Promise<void> {
  const { request, signal } = options
  const command = [process.execPath, '--max-old-space-size=128', options.file, JSON.stringify(request)]
  const limited = ['-c', launchScript, 'sh', String(options.memoryLimitMb * 1024), ...command]
  const child = spawn('/bin/sh', limited, { cwd: request.folder, env: childEnvironment(), stdio: ['pipe', 'ignore', 'pipe'] })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const errors: Buffer[] = []
  child.stderr.on('data', (bytes: Buffer) => errors.push(bytes))
  child.stdin.on('error', () => {})
  return new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop)
      if (code === 0) resolve()
      else if (signal.aborted) reject(signal.reason as Error)
      else reject(new Error(`${options.failure}: ${Buffer.concat(errors).toString().slice(-2000)}`))
    })
  })
}
