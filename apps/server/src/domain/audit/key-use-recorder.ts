import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { addKeyUse, type KeyUseTally } from '../../store/audit/add-key-use.ts'
import type { Db } from '../../store/db.ts'
import { makeDelayedWriter } from '../../work/delayed-writer.ts'

/**
 * Counts the use of API keys by key, route and hour. A request only updates a *tally* in memory; every ten seconds all tallies are
 * added to the stored ones in one statement. A process that is killed loses its unwritten tallies; one that shuts down writes them
 * first. Tallies that could not be written are retried with the next use.
 */
export interface KeyUseRecorder {
  note(use: KeyUse): void
  /** Resolves when everything noted so far is written: for shutdown, and before reading the counts. */
  flush(): Promise<void>
}

export interface KeyUse {
  organizationId: string
  keyId: string
  keyName: string
  userId: string
  /** For example `GET /api/me`. */
  route: string
  status: number
  address: string | null
}

const everyMs = 10_000
const hourMs = 3600_000

export function makeKeyUseRecorder(deps: { db: Db; clock: Clock; log: Pick<Log, 'warn'> }): KeyUseRecorder {
  const { db, clock } = deps
  let tallies = new Map<string, KeyUseTally>()
  const writer = makeDelayedWriter({
    clock,
    delayMs: everyMs,
    async write() {
      const written = [...tallies.values()]
      tallies = new Map()
      return (await write(written)) && tallies.size > 0
    },
  })

  async function write(written: KeyUseTally[]): Promise<boolean> {
    try {
      await addKeyUse(db, written)
      return true
    } catch (error) {
      deps.log.warn({ err: error }, 'recording API key use failed')
      tallies = putBack(written, tallies)
      return false
    }
  }

  return {
    note(use) {
      const now = clock.now()
      const name = nameOf(use, now.getTime() - (now.getTime() % hourMs))
      let tally = tallies.get(name)
      if (!tally) tallies.set(name, (tally = newTally(use, now)))
      count(tally, use, now)
      writer.schedule()
    },
    flush: () => writer.flush(),
  }
}

const nameOf = ({ keyId, route }: { keyId: string; route: string }, hour: number) => `${keyId} ${hour} ${route}`

const newTally = ({ organizationId, keyId, keyName, userId, route, status, address }: KeyUse, now: Date): KeyUseTally => ({
  organizationId,
  keyId,
  keyName,
  userId,
  route,
  hour: new Date(now.getTime() - (now.getTime() % hourMs)),
  requestCount: 0,
  refusedCount: 0,
  failedCount: 0,
  firstAt: now,
  lastAt: now,
  lastStatus: status,
  lastAddress: address,
})

/** Updates in place: this runs on every request and must not create garbage. */
function count(tally: KeyUseTally, { status, address }: KeyUse, now: Date): void {
  tally.requestCount += 1
  if (status >= 500) tally.failedCount += 1
  else if (status >= 400) tally.refusedCount += 1
  tally.lastAt = now
  tally.lastStatus = status
  tally.lastAddress = address
}

/** Merges tallies that could not be written with newer ones: the first time comes from the former, the last status from the latter. */
function putBack(written: KeyUseTally[], since: Map<string, KeyUseTally>): Map<string, KeyUseTally> {
  const all = new Map(written.map((tally) => [nameOf(tally, tally.hour.getTime()), tally]))
  for (const [name, later] of since) {
    const earlier = all.get(name)
    all.set(name, earlier ? mergeTallies(earlier, later) : later)
  }
  return all
}

const mergeTallies = (earlier: KeyUseTally, later: KeyUseTally): KeyUseTally => ({
  ...later,
  requestCount: earlier.requestCount + later.requestCount,
  refusedCount: earlier.refusedCount + later.refusedCount,
  failedCount: earlier.failedCount + later.failedCount,
  firstAt: earlier.firstAt,
})
