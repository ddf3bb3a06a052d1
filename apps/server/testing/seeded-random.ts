import { createHash } from 'node:crypto'
import type { Random } from '../src/ports/random.ts'

/** Deterministic random bytes for a seed: SHA-256 in counter mode. */
export function seededRandom(seed: string): Random {
  let block = 0
  let pool = Buffer.alloc(0)
  return {
    bytes(count) {
      while (pool.length < count) {
        pool = Buffer.concat([pool, createHash('sha256').update(`${seed}:${block++}`).digest()])
      }
      const taken = pool.subarray(0, count)
      pool = pool.subarray(count)
      return taken
    },
  }
}
