import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { Pool } from 'undici'
import type { VettedAddress } from './network.ts'

/**
 * A *pool* keeps the connections to one origin at the addresses that it was vetted for.
 *
 * - Its name is both, the origin and the addresses: when a name leads elsewhere than at the last request, the request
 *   gets another pool, and the connections of the old one are not used for it.
 * - It opens connections by `connect`, to its own addresses and no others.
 * - A connection is kept for seconds: agents ask several times in a row and then not for hours, and a server that drops
 *   an idle connection just when it is used again would fail a request that must not be sent twice.
 * - A pool without connections and requests is forgotten.
 */
export interface VettedPools {
  /** The pool, for one request; `release` when the head of its answer is there, or it failed. */
  take(url: URL, addresses: readonly VettedAddress[]): { pool: Pool; release(): void }
  poolCount(): number
  destroy(): Promise<void>
}

export type Connect = (origin: URL, addresses: readonly VettedAddress[]) => Promise<Socket>

const idleMs = 10_000
/** Where the server says how long it keeps one. */
const idleMaxMs = 30_000
const maxAgeMs = 300_000
/** Without a byte. As long as an agent's whole task may take by default; callers set their own limits by signal. */
const silenceMs = 600_000
const maxHeaderBytes = 16_384

interface Entry {
  pool: Pool
  /** Requests that are on their way into it, which its own numbers do not show yet. */
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
