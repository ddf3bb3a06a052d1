import { abortAfter } from '../../ports/clock.ts'
import type { ServerOptions } from '../server-options.ts'
import { requestCancel } from './cancel-postgres.ts'
import { dialPlace } from './dial-postgres.ts'
import { terminate } from './messages.ts'
import { Wire } from './wire.ts'

/** How long to wait before escalating from cancel to terminate. */
const limitMs = 5000

/** A cancel request that arrives before its statement has no effect, so it is repeated. */
const retryMs = 200

/**
 * Stops a connection's statement and ends the connection. Waits until the server closes its side, which means that the
 * backend and its statement are gone. Data that still arrives is discarded, because a server blocked on writing does not
 * react to cancel requests.
 */
export async function stopStatement(options: ServerOptions, wire: Wire): Promise<void> {
  const ended = readToEnd(wire)
  try {
    if (await isOver(ended, options, (signal) => cancelUntil(options, wire, signal))) return
    if (await isOver(ended, options, (signal) => terminateProcess(options, wire, signal))) return
    options.log.warn({ engine: 'postgres' }, 'statement cancellation not confirmed')
  } finally {
    wire.drop()
  }
}

async function cancelUntil({ clock }: ServerOptions, wire: Wire, signal: AbortSignal): Promise<void> {
  wire.send([terminate()], { answers: 0 })
  while (!signal.aborted) {
    await requestCancel(wire.dialed, signal)
    await clock.sleep(retryMs, signal)
  }
}

async function readToEnd({ reader }: Wire): Promise<true> {
  while ((await reader.chunk()) !== null);
  return true
}

/** Whether the connection ended in time with this method. */
async function isOver(
  ended: Promise<true>,
  { clock, log }: ServerOptions,
  method: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const limit = abortAfter(clock, limitMs)
  const over = new AbortController()
  const tooLate = new Promise<false>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(false), { once: true })
  })
  method(AbortSignal.any([limit.signal, over.signal])).catch((error: unknown) => {
    log.debug({ err: error, engine: 'postgres' }, 'statement cancellation attempt failed')
  })
  try {
    return await Promise.race([ended, tooLate])
  } finally {
    limit.cancel()
    over.abort()
  }
}

/** Terminates the backend from another connection of the same user, who has that privilege. */
async function terminateProcess(options: ServerOptions, { dialed }: Wire, signal: AbortSignal): Promise<void> {
  const other = new Wire(await dialPlace(options, dialed.place, signal))
  const giveUp = () => other.drop()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await other.queryRows(`select pg_terminate_backend(${dialed.processId})`)
  } finally {
    signal.removeEventListener('abort', giveUp)
    other.send([terminate()], { answers: 0 })
    other.dialed.socket.end()
  }
}
