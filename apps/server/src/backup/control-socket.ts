import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Log } from '../ports/log.ts'
import { listenInOrNear, removeSocket } from './control-socket-path.ts'
import { removeStaged, type Staged } from './stage.ts'

export interface ControlSocket {
  /** Closes all connections and removes a staged backup. */
  close(): Promise<void>
}

/**
 * Opens the control socket. `POST /backup` stages a backup and responds with one line that describes it. The response stays open:
 * the staged folder exists for as long as the client keeps the connection, and is removed when the client disconnects for any reason.
 */
export async function openControlSocket(options: {
  dataDirectory: string
  stage(signal: AbortSignal): Promise<Staged>
  log: Log
}): Promise<ControlSocket> {
  const { log } = options
  let latest: { gone: AbortSignal; over: Promise<void> } | undefined

  /** `previous` resolves when the files of the previous backup are removed. */
  async function serveBackup(response: ServerResponse, gone: AbortController, previous: Promise<void> | undefined): Promise<void> {
    const disconnected = new Promise<void>((resolve) => {
      response.once('close', () => {
        gone.abort('the client has disconnected')
        resolve()
      })
    })
    let staged: Staged | undefined
    try {
      await previous
      gone.signal.throwIfAborted()
      staged = await options.stage(gone.signal)
      response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(staged)}\n`)
      log.info({ checkpointMs: staged.checkpointMs, heldMs: staged.heldMs }, 'backup staged')
      await disconnected
    } catch (error) {
      if (gone.signal.aborted) return
      log.error({ err: error }, 'backup staging failed')
      reject(response, 500, (error as Error).message)
    } finally {
      if (staged) await removeStaged(staged.folder)
    }
  }

  const server = createServer((request, response) => {
    request.resume()
    const isBackup = request.method === 'POST' && request.url === '/backup'
    if (!isBackup) return reject(response, 404, 'Not found. The only request is POST /backup.')
    if (latest && !latest.gone.aborted) return reject(response, 409, 'Another backup is in progress. Wait for it to finish.')
    const gone = new AbortController()
    const over = serveBackup(response, gone, latest?.over).catch((error: unknown) =>
      log.error({ err: error }, 'staged backup removal failed'),
    )
    latest = { gone: gone.signal, over }
  })
  await listenInOrNear(options.dataDirectory, async (socketPath) => {
    // Create the socket with owner-only permissions; changing them afterwards would leave a gap.
    const usual = process.umask(0o177)
    try {
      server.listen(socketPath)
    } finally {
      process.umask(usual)
    }
    await once(server, 'listening')
  })
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await latest?.over
      await removeSocket(options.dataDirectory)
    },
  }
}

function reject(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify({ message })}\n`)
}
