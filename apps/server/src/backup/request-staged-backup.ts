import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { BackupError } from './manifest.ts'
import { findSocketPath } from './control-socket-path.ts'
import type { Staged } from './stage.ts'

/** A backup that a running service has staged and keeps until it is released. */
export interface HeldBackup {
  staged: Staged
  /** Aborts when the service removes the staged files because it is stopping. */
  signal: AbortSignal
  release(): Promise<void>
}

/** Asks the service that runs on the data directory to stage a backup. Undefined when no service is running. */
export async function requestStagedBackup(options: {
  dataDirectory: string
  signal: AbortSignal
}): Promise<HeldBackup | undefined> {
  const socketPath = await findSocketPath(options.dataDirectory)
  if (socketPath === undefined) return undefined
  const outgoing = request({ socketPath, method: 'POST', path: '/backup', agent: false, signal: options.signal })
  let response: IncomingMessage
  try {
    const responded = once(outgoing, 'response')
    outgoing.end()
    response = ((await responded) as [IncomingMessage])[0]
  } catch (error) {
    options.signal.throwIfAborted()
    // A killed service left its socket behind.
    if (['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw new BackupError(`The service at ${options.dataDirectory} did not respond (${(error as Error).message}).`)
  }
  const lost = new AbortController()
  response.once('close', () => lost.abort(new BackupError('The service stopped during the backup. Try again.')))
  response.on('error', () => {})
  const line = await firstLine(response)
  if (response.statusCode !== 200) throw new BackupError((JSON.parse(line) as { message: string }).message)
  return {
    staged: JSON.parse(line) as Staged,
    signal: lost.signal,
    async release() {
      if (response.destroyed) return
      const closed = once(response, 'close')
      response.destroy()
      await closed
    },
  }
}

async function firstLine(response: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    if (text.includes('\n')) resolve(text.split('\n')[0]!)
  })
  response.once('close', () => reject(new BackupError('The service stopped before it could respond. Try again.')))
  return promise
}
