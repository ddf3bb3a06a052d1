import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { Pool } from 'undici'
import type { VettedAddress } from './network.ts'

/**
 * A *pool* keeps the connections to one origin at the addresses it was vetted for.
 *
 * - It is identified by both the origin and the addresses: if a name resolves differently than for the last request, the request
 * gets
 *   another pool, and connections of the old one are not used for it.
 * - It opens connections with `connect`, only to its own addresses.
 * - A connection is kept for seconds: agents make several requests in a row and then none for hours, and a server that drops an
 * idle
 *   connection just as it is reused would fail a request that must not be sent twice.
 * - A pool without connections and requests is removed.
 */
export interface VettedPools {
  /** The pool for one request; call `release` when its response headers have arrived or it has failed. */
  take(url: URL, addresses: readonly VettedAddress[]): { pool: Pool; release(): void }
  poolCount(): number
  destroy(): Promise<void>
}

export type Connect = (origin: URL, addresses: readonly VettedAddress[]) => Promise<Socket>

const idleMs = 10_000
/** If the server says how long it keeps a connection. */
const idleMaxMs = 30_000
const maxAgeMs = 300_000
/** Without a byte. As long as an agent's whole task may take by default; callers set their own limits with signals. */
const silenceMs = 600_000
const maxHeaderBytes = 16_384

interface Entry {
  pool: Pool
  /** Requests about to enter the pool, which its own statistics do not include yet. */
  enteringCount: number
}

export function makeVettedPools({ connect }: { connect: Connect }): VettedPools {
  const entries = new Map<string, Entry>()

  function open(key: string, origin: URL, addresses: readonly VettedAddress[]): Entry {
    const pool = new Pool(origin, {
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMaxMs,
      clientTtl: maxAgeMs,
      connect(_options, callback) {
        callbackify(connect)(origin, addresses, (error, socket) =>
          error ? callback(error, null) : callback(null, socket),
        )
      },
    })
    const entry: Entry = { pool, enteringCount: 0 }
    const forget = () => forgetUnused(key, entry)
    pool.on('disconnect', forget)
    pool.on('connectionError', forget)
    entries.set(key, entry)
    return entry
  }

  function forgetUnused(key: string, entry: Entry): void {
    const { connected, size } = entry.pool.stats
    if (entry.enteringCount > 0 || connected > 0 || size > 0 || entries.get(key) !== entry) return
    entries.delete(key)
    void entry.pool.close()
  }

  return {
    take(url, addresses) {
      const key = [url.origin, ...addresses.toSorted()].join(' ')
      const entry = entries.get(key) ?? open(key, new URL(url.origin), addresses)
      entry.enteringCount++
      return {
        pool: entry.pool,
        release() {
          entry.enteringCount--
          forgetUnused(key, entry)
        },
      }
    },
    poolCount: () => entries.size,
    async destroy() {
      const pools = [...entries.values()].map(({ pool }) => pool)
      entries.clear()
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}
