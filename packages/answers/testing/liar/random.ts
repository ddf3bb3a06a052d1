/** A seeded source of choices, so that every lie can be repeated. */
export interface Random {
  below: (limit: number) => number
  pick: <T>(those: readonly T[]) => T
  /** Several different ones. */
  sample: <T>(those: readonly T[], count: number) => T[]
}

export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (those) => those[below(those.length)]!,
    sample(those, count) {
      const rest = [...those]
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(below(rest.length), 1)[0]!)
    },
  }
}
