/** The name that was probably meant: the closest one, if it is at most a third of its length away from what was typed. */
export function findNearest(typed: string, names: string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: editDistance(typed, name) })).sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : undefined
}

/** How many characters to add, drop or change (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, character] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      next.push(Math.min(row[j]! + (character === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
