/** The chosen items of a list, by key. A range starts at the anchor: the item that was chosen or left out last. */
export interface Selection {
  keys: ReadonlySet<string>
  anchor: string | undefined
}

export const nothingSelected: Selection = { keys: new Set(), anchor: undefined }

/** Chooses an item, or leaves it out. With `isRange`, all items between the anchor and this one follow it. */
export function toggled(selection: Selection, key: string, { order, isRange }: { order: readonly string[]; isRange: boolean }): Selection {
  const isChosen = !selection.keys.has(key)
  const [from, to] = [isRange && selection.anchor !== undefined ? order.indexOf(selection.anchor) : -1, order.indexOf(key)]
  const range = from === -1 ? [key] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  const keys = new Set(selection.keys)
  for (const each of range) {
    if (isChosen) keys.add(each)
    else keys.delete(each)
  }
  return { keys, anchor: key }
}
