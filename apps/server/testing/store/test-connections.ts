import { EventEmitter } from 'node:events'
import pg from 'pg'

/**
 * The connections to one test database. Opening one takes 20 ms of CPU time, mostly for what the server then reads again about tables
 * and statements, so the pools of one store are lent to the next. `lend` returns the pools for one store in the order in which it
 * requests them, and each behaves as if it was new: it refuses to work after its end, and no settings, locks or listeners are left.
 */
export class TestConnections {
  readonly #pools: pg.Pool[] = []

  lend(): (config: pg.PoolConfig) => pg.Pool {
    let count = 0
    return (config) => new LentPool((this.#pools[count++] ??= openPool(config))) as unknown as pg.Pool
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.splice(0).map((pool) => pool.end()))
  }
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, allowExitOnIdle: true })
  // A test may end the server's sessions or the server.
  pool.on('error', () => {})
  return pool
}

type Listener = (error: Error) => void

class LentPool extends EventEmitter {
  readonly #pool: pg.Pool
  /** The listeners that this store has added to each connection it has used. */
  readonly #listeners = new Map<pg.PoolClient, Listener[]>()
  readonly #inUse = new Set<pg.PoolClient>()
  #onReturn: (() => void) | undefined
  ending = false

  constructor(pool: pg.Pool) {
    super()
    this.#pool = pool
  }

  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      this.#refuseAfterEnd()
      const wasOpen = this.#pool.idleCount > 0
      try {
        return await this.#take()
      } catch (error) {
        // A connection that an earlier store left open may have been lost since.
        if (!wasOpen || this.ending) throw error
      }
    }
  }

  async #take(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    const { release } = client
    client.release = (reason) => {
      this.#inUse.delete(client)
      release.call(client, reason)
      this.#onReturn?.()
    }
    this.#inUse.add(client)
    try {
      if (!this.#listeners.has(client)) await this.#prepare(client)
      this.#refuseAfterEnd()
    } catch (error) {
      client.release(error as Error)
      throw error
    }
    return client
  }

  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const client = await this.connect()
    try {
      return await client.query(text, values)
    } finally {
      client.release()
    }
  }

  async end(): Promise<void> {
    this.ending = true
    while (this.#inUse.size > 0) await new Promise<void>((resolve) => (this.#onReturn = resolve))
    for (const [client, listeners] of this.#listeners) for (const each of listeners) client.off('error', each)
    this.#listeners.clear()
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    const before = new Set(client.listeners('error'))
    this.emit('connect', client)
    this.#listeners.set(client, client.listeners('error').filter((each) => !before.has(each)) as Listener[])
    await client.query('reset all; select pg_advisory_unlock_all()')
  }

  #refuseAfterEnd(): void {
    if (this.ending) throw new Error('The test has closed its store.')
  }
}
