import { abortAfter } from '../../ports/clock.ts'
import type { ServerOptions } from '../server-options.ts'
import { requestCancel } from './cancel-postgres.ts'
import { dialPlace } from './dial-postgres.ts'
import { terminate } from './messages.ts'
import { Wire } from './wire.ts'

/** How long the server may take before stronger means are used. */
const limitMs = 5000

/** A request that arrives before what it is to stop goes unheard, so it is made again. */
const againMs = 200

/**
 * Stops whatever a connection is at, and ends the connection. The server closes its side when its process is gone,
 * and the statement with it: that is waited for. What still comes on the way is thrown away, for a server that waits to
 * be read does not look up.
 */
export async function stopStatement(options: ServerOptions, wire: Wire): Promise<void> {
  const ended = readToEnd(wire)
  try {
    if (await isOver(ended, options, (signal) => cancelUntil(options, wire, signal))) return
    if (await isOver(ended, options, (signal) => terminateProcess(options, wire, signal))) return
    options.log.warn({ engine: 'postgres' }, 'the server did not confirm that it stopped a statement')
  } finally {
    wire.drop()
  }
}

async function cancelUntil({ clock }: ServerOptions, wire: Wire, signal: AbortSignal): Promise<void> {
  wire.send([terminate()], { answers: 0 })
  while (!signal.aborted) {
    await requestCancel(wire.dialled, signal)
    await clock.sleep(againMs, signal)
  }
}

async function readToEnd({ reader }: Wire): Promise<true> {
  while ((await reader.chunk()) !== null);
  return true
}

/** Whether the connection ended by these means, in time. */
async function isOver(
  ended: Promise<true>,
  { clock, log }: ServerOptions,
  means: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const limit = abortAfter(clock, limitMs)
  const over = new AbortController()
  const tooLate = new Promise<false>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(false), { once: true })
  })
  means(AbortSignal.any([limit.signal, over.signal])).catch((error: unknown) => {
    log.debug({ engine: 'postgres', error }, 'a way to stop a statement failed')
  })
  try {
    return await Promise.race([ended, tooLate])
  } finally {
    limit.cancel()
    over.abort()
  }
}

/** From another connection of the same user, who may do that. */
async function terminateProcess(options: ServerOptions, { dialled }: Wire, signal: AbortSignal): Promise<void> {
  const other = new Wire(await dialPlace(options, dialled.place, signal))
  const giveUp = () => other.drop()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await other.ask(`select pg_terminate_backend(${dialled.processId})`)
  } finally {
    signal.removeEventListener('abort', giveUp)
    other.send([terminate()], { answers: 0 })
    other.dialled.socket.end()
  }
}
