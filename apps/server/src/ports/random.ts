import { randomBytes } from 'node:crypto'

/** Chance. Ids, secrets and jitter come from here; tests pass a seeded source. */
export interface Random {
  /** `count` bytes, unpredictable in production. */
  bytes(count: number): Uint8Array
}

export const secureRandom: Random = { bytes: (count) => randomBytes(count) }

/**
 * `length` characters drawn evenly from `alphabet` (at most 256 characters).
 * Bytes past the last whole multiple of the alphabet's size are thrown away: a plain modulo would favour the first letters.
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
