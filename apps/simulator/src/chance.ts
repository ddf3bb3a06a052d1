import type { Random } from '@querypost/server/ports'

/** The randomness of a run, all from its seed. A fork is an independent stream: drawing from one does not affect the others. */
export interface Chance extends Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  isTrue(probability: number): boolean
  /** An integer, both ends included. */
  between(least: number, most: number): number
  pick<Value>(values: readonly Value[]): Value
  fork(label: string): Chance
}

export function makeChance(seed: string): Chance {
  const next = sfc32(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    isTrue: (probability) => probability > 0 && next() < probability,
    pick: (values) => values[between(0, values.length - 1)]!,
    fork: (label) => makeChance(`${seed}/${label}`),
    bytes: (count) => Uint8Array.from({ length: count }, () => between(0, 255)),
  }
}

/** The "small fast counter" generator with 32-bit words, seeded from the text by FNV-1a. */
function sfc32(seed: string): () => number {
  const word = (salt: number) => {
    let hash = (0x811c9dc5 ^ salt) >>> 0
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193) >>> 0
    return hash
  }
  let [a, b, c, counter] = [word(1), word(2), word(3), 1]
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let round = 0; round < 15; round++) next()
  return next
}
