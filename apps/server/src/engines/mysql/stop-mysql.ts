/** Stops a statement at the server, and does not rest before it is gone from there. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { ask } from './ask.ts'
import type { ResultReader } from './reader.ts'
import type { Session } from './mysql-session.ts'

/** How long to wait before saying it again: a statement that the server had not begun yet does not hear it. */
const againMs = 50
/** A statement looks now and then whether it is to end. Where it does not for so long, its connection is ended. */
const patienceMs = 5_000
const longPatienceMs = 10_000

export interface Stopping {
  session: Session
  reader: ResultReader
  /** Another session of the same user; only that user or an administrator may end its statements. */
  control: Session
  clock: Clock
  log: Log
}

export async function stopStatement({ session, reader, control, clock, log }: Stopping): Promise<void> {
  const id = session.threadId
  reader.discard()
  const from = clock.monotonicMs()
  while (!reader.hasEnded() && clock.monotonicMs() - from < patienceMs) {
    await killed(control, `kill query ${id}`)
    await endOrPause(reader, clock)
  }
  if (reader.hasEnded()) {
    // The last word of a statement is said a moment before the server has done with it; the answer to this comes after.
    if (session.isAlive()) await new Promise<void>((resolve) => session.connection.ping(() => resolve()))
    return
  }
  await killed(control, `kill connection ${id}`)
  const listed = `select 1 from information_schema.processlist where id = ${id}`
  while (clock.monotonicMs() - from < longPatienceMs) {
    if ((await ask(control.connection, listed)).length === 0) return
    await clock.sleep(againMs)
  }
  log.warn({ engine: 'mysql', thread: id }, 'the server was told to end a statement and has not done so')
}

/** A thread that the server does not know any more (1094) has ended by itself. */
async function killed(control: Session, kill: string): Promise<void> {
  try {
    await ask(control.connection, kill)
  } catch (error) {
    if ((error as { errno?: number }).errno !== 1094) throw error
  }
}

async function endOrPause(reader: ResultReader, clock: Clock): Promise<void> {
  const paused = new AbortController()
  await Promise.race([reader.ended, clock.sleep(againMs, paused.signal)])
  paused.abort()
}
