import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** PostgreSQL cannot be used. The message is for the operator; it never holds the password. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable'
}

const tryAgainMs = 1000
/** Longer than a server takes to begin, or to hand over to its replica. */
const patienceMs = 60_000

/**
 * Opens a store that may not be there yet: where everything starts together (a machine, a `docker compose up`), the
 * service is often ahead of its PostgreSQL. What waiting cannot mend, a password or a name that is wrong, ends it at
 * once.
 */
export async function openWhenThere<Opened>(options: {
  url: string
  open(): Promise<Opened>
  clock: Clock
  log: Log
}): Promise<Opened> {
  const { clock, log } = options
  const giveUpMs = clock.monotonicMs() + patienceMs
  for (;;) {
    try {
      return await options.open()
    } catch (error) {
      const why = `PostgreSQL at ${placeOf(options.url)} cannot be used: ${reasonOf(error)}.`
      const unreachable = (what: string) => new StoreUnreachable(`${why} ${what}`, { cause: error })
      if (isLasting(error)) throw unreachable('Set DATABASE_URL to a database and a user that exist there.')
      if (clock.monotonicMs() >= giveUpMs) {
        throw unreachable(`Gave up after ${patienceMs / 1000} seconds. Is it running, and is DATABASE_URL right?`)
      }
      log.warn(`${why} Trying again.`)
      await clock.sleep(tryAgainMs)
    }
  }
}

/**
 * Its own words: a role that may not sign in (28…), a database that does not exist, or one that may not be connected
 * to.
 */
const isLasting = (error: unknown) => /^(28...|3D000|42501)$/.test((error as { code?: string }).code ?? '')

function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host || 'the default address'}${pathname}`
}

/** Node tries all addresses of a name, and then says only that all of them failed. */
function reasonOf(error: unknown): string {
  const all = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
  return all.map(({ message }) => message.replace(/\.$/, '')).join('; ')
}
