/** Stops a statement at the server and waits until it is gone from there. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { queryRows } from './query-rows.ts'
import type { ResultReader } from './reader.ts'
import type { Session } from './mysql-session.ts'

/** How long to wait before repeating KILL: it has no effect on a statement that the server has not begun yet. */
const retryMs = 50
/** A statement checks from time to time whether it was killed. If it has not ended after this time, its connection is killed. */
const killQueryMs = 5_000
const killConnectionMs = 10_000

export interface StopOptions {
  session: Session
  reader: ResultReader
  /** Another session of the same user. Only that user or an administrator may kill its statements. */
  control: Session
  clock: Clock
  log: Log
}

export async function stopStatement({ session, reader, control, clock, log }: StopOptions): Promise<void> {
  const id = session.threadId
  reader.discard()
  const from = clock.monotonicMs()
  while (!reader.hasEnded() && clock.monotonicMs() - from < killQueryMs) {
    await kill(control, `kill query ${id}`)
    await endOrTimeout(reader, clock)
  }
  if (reader.hasEnded()) {
    // A statement's last packet arrives slightly before the server is done with it. The response to a ping comes after that.
    if (session.isAlive()) await new Promise<void>((resolve) => session.connection.ping(() => resolve()))
    return
  }
  await kill(control, `kill connection ${id}`)
  const listed = `select 1 from information_schema.processlist where id = ${id}`
  while (clock.monotonicMs() - from < killConnectionMs) {
    if ((await queryRows(control.connection, listed)).length === 0) return
    await clock.sleep(retryMs)
  }
  log.warn({ engine: 'mysql', thread: id }, 'statement cancellation not confirmed')
}

/** An unknown thread id (1094) means that the thread has already ended. */
async function kill(control: Session, command: string): Promise<void> {
  try {
    await queryRows(control.connection, command)
  } catch (error) {
    if ((error as { errno?: number }).errno !== 1094) throw error
  }
}

async function endOrTimeout(reader: ResultReader, clock: Clock): Promise<void> {
  const timer = new AbortController()
  await Promise.race([reader.ended, clock.sleep(retryMs, timer.signal)])
  timer.abort()
}
