/** A name that is one slip away from what was typed. */
export function nearest(typed: string, names: string[]): string | undefined {
  const ranked = names.map((name) => ({ name, slips: slipsBetween(typed, name) })).sort((a, b) => a.slips - b.slips)
  const best = ranked[0]
  return best && best.slips <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : undefined
}

/** Letters to add, drop or change. */
export function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
