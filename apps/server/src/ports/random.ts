import { randomBytes } from 'node:crypto'

/** Randomness. Ids, secrets and jitter come from here; tests pass a seeded source. */
export interface Random {
  /** `count` bytes, unpredictable in production. */
  bytes(count: number): Uint8Array
}

/** A system call costs microseconds however few bytes it returns, so several kilobytes are fetched at a time. */
const poolBytes = 8192

export const secureRandom: Random = makeSecureRandom()

function makeSecureRandom(): Random {
  let pool = Buffer.alloc(0)
  return {
    bytes(count) {
      if (count > poolBytes / 8) return randomBytes(count)
      if (pool.length < count) pool = randomBytes(poolBytes)
      // A copy, so that keeping the bytes does not keep the pool, and no byte is given out twice.
      const taken = Uint8Array.prototype.slice.call(pool, 0, count)
      pool = pool.subarray(count)
      return taken
    },
  }
}

/**
 * `length` characters drawn uniformly from `alphabet` (at most 256 characters). Bytes past the last whole multiple of the
 * alphabet's size are discarded: a plain modulo would favor the first characters.
 */
export function randomText(random: Random, alphabet: string, length: number): string {
  const usable = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      if (byte < usable) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** A number from 0 up to 1, uniformly distributed. */
export function fraction(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32
}
