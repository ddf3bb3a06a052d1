import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Log } from '../ports/log.ts'
import { listenNear, removeAddress } from './operator-address.ts'
import { removeStaged, type Staged } from './stage.ts'

export interface OperatorDoor {
  /** Whoever is being served is cut off, and what was staged for them is removed. */
  close(): Promise<void>
}

/**
 * Opens the operator's door. `POST /backup` stages a backup and answers with one line, what was staged and where. The
 * answer does not end: as long as the asker keeps the connection, the staged folder is theirs; then it is removed,
 * however they went.
 */
export async function openOperatorDoor(options: {
  dataDirectory: string
  stage(signal: AbortSignal): Promise<Staged>
  log: Log
}): Promise<OperatorDoor> {
  const { log } = options
  let latest: { gone: AbortSignal; over: Promise<void> } | undefined

  /** `before`: what the one before has left behind is being removed. */
  async function serveBackup(answer: ServerResponse, gone: AbortController, before: Promise<void> | undefined): Promise<void> {
    const left = new Promise<void>((resolve) => {
      answer.once('close', () => {
        gone.abort('the operator has gone')
        resolve()
      })
    })
    let staged: Staged | undefined
    try {
      await before
      gone.signal.throwIfAborted()
      staged = await options.stage(gone.signal)
      answer.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(staged)}\n`)
      log.info({ checkpointMs: staged.checkpointMs, heldMs: staged.heldMs }, 'a backup was staged')
      await left
    } catch (error) {
      if (gone.signal.aborted) return
      log.error({ err: error }, 'a backup could not be staged')
      refuse(answer, 500, (error as Error).message)
    } finally {
      if (staged) await removeStaged(staged.folder)
    }
  }

  const server = createServer((request, answer) => {
    request.resume()
    const isBackup = request.method === 'POST' && request.url === '/backup'
    if (!isBackup) return refuse(answer, 404, 'There is no such thing to ask for.')
    if (latest && !latest.gone.aborted) return refuse(answer, 409, 'Another backup is being made. Wait for it to end.')
    const gone = new AbortController()
    const over = serveBackup(answer, gone, latest?.over).catch((error: unknown) =>
      log.error({ err: error }, 'a staged backup could not be removed'),
    )
    latest = { gone: gone.signal, over }
  })
  await listenNear(options.dataDirectory, async (address) => {
    // The socket is nobody else's from its first moment, whatever folder it is in.
    const usual = process.umask(0o177)
    try {
      server.listen(address)
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
      await removeAddress(options.dataDirectory)
    },
  }
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify({ message })}\n`)
}
