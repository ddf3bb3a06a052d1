/**
 * Which item each slot of a pool shows. An item that was shown keeps its slot, so that scrolling changes only as many slots as items come
 * into view. Up to `spare` slots more than wanted keep what they show: adding them again a moment later would cost more.
 */
export function assignSlots(shown: readonly number[], wanted: readonly number[], spare = 0): number[] {
  const surplus = shown.length - wanted.length
  const size = surplus >= 0 && surplus <= spare ? shown.length : wanted.length
  const missing = new Set(wanted)
  const isKept = Array.from({ length: size }, (_, slot) => slot < shown.length && missing.delete(shown[slot]!))
  const coming = missing.values()
  return isKept.map((kept, slot) => (kept ? shown[slot]! : (coming.next().value ?? shown[slot]!)))
}
