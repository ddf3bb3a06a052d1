import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** PostgreSQL cannot be used. The message is for the operator and never contains the password. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable'
}

const retryMs = 1000
/** Longer than a server takes to start or to fail over to its replica. */
const timeoutMs = 60_000

/**
 * Opens a store, retrying until it is available: when everything starts at once (a machine, `docker compose up`), the service
 * is often ready before its PostgreSQL. Errors that waiting cannot fix, such as a wrong password or name, fail at once.
 */
export async function openWithRetries<Opened>(options: {
  url: string
  open(): Promise<Opened>
  clock: Clock
  log: Log
}): Promise<Opened> {
  const { clock, log } = options
  const giveUpMs = clock.monotonicMs() + timeoutMs
  for (;;) {
    try {
      return await options.open()
    } catch (error) {
      const why = `PostgreSQL at ${placeOf(options.url)} cannot be used: ${reasonOf(error)}.`
      const unreachable = (what: string) => new StoreUnreachable(`${why} ${what}`, { cause: error })
      if (isPermanent(error)) throw unreachable('Set DATABASE_URL to a database and a user that exist there.')
      if (clock.monotonicMs() >= giveUpMs) {
        throw unreachable(`Gave up after ${timeoutMs / 1000} seconds. Is it running, and is DATABASE_URL right?`)
      }
      log.warn(`${why} Trying again.`)
      await clock.sleep(retryMs)
    }
  }
}

/** SQLSTATE codes: authentication failed (28…), the database does not exist, or connecting is not permitted. */
const isPermanent = (error: unknown) => /^(28...|3D000|42501)$/.test((error as { code?: string }).code ?? '')

function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host || 'the default address'}${pathname}`
}

/** Node tries all addresses of a name and wraps their errors in one AggregateError. */
function reasonOf(error: unknown): string {
  const all = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
  return all.map(({ message }) => message.replace(/\.$/, '')).join('; ')
}
