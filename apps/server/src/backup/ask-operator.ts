import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { BackupError } from './manifest.ts'
import { findAddress } from './operator-address.ts'
import type { Staged } from './stage.ts'

/** What a running service has staged, for as long as it is not given back. */
export interface Lent {
  staged: Staged
  /** Aborts when the service takes it back, since it stops. */
  signal: AbortSignal
  giveBack(): Promise<void>
}

/** Asks the service that runs on the data directory to stage a backup. Undefined when none is there to be asked. */
export async function askForStaged(options: { dataDirectory: string; signal: AbortSignal }): Promise<Lent | undefined> {
  const address = await findAddress(options.dataDirectory)
  if (address === undefined) return undefined
  const asking = request({ socketPath: address, method: 'POST', path: '/backup', agent: false, signal: options.signal })
  let answer: IncomingMessage
  try {
    const answered = once(asking, 'response')
    asking.end()
    answer = ((await answered) as [IncomingMessage])[0]
  } catch (error) {
    options.signal.throwIfAborted()
    // A socket that a killed service has left behind.
    if (['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw new BackupError(`The service at ${options.dataDirectory} did not answer (${(error as Error).message}).`)
  }
  const taken = new AbortController()
  answer.once('close', () => taken.abort(new BackupError('The service has stopped meanwhile. Try again.')))
  answer.on('error', () => {})
  const line = await firstLine(answer)
  if (answer.statusCode !== 200) throw new BackupError((JSON.parse(line) as { message: string }).message)
  return {
    staged: JSON.parse(line) as Staged,
    signal: taken.signal,
    async giveBack() {
      if (answer.destroyed) return
      const closed = once(answer, 'close')
      answer.destroy()
      await closed
    },
  }
}

async function firstLine(answer: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    if (text.includes('\n')) resolve(text.split('\n')[0]!)
  })
  answer.once('close', () => reject(new BackupError('The service has stopped before it could answer. Try again.')))
  return promise
}
