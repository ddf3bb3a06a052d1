/** Something with a short id, such as a favorite or a board of the list. */
interface Named {
  shortId: string
  title: string
}

export interface HomeItem extends Named {
  isFavorite: boolean
}

/** Favorites first, then what the person opened last, then the newest ones; each once. */
export function chooseItems(from: { favorites: Named[]; recent: Named[]; newest: Named[] }, count: number): HomeItem[] {
  const favorites = new Set(from.favorites.map(({ shortId }) => shortId))
  const all = [...from.favorites, ...from.recent, ...from.newest]
  const byId = new Map(all.map(({ shortId, title }) => [shortId, { shortId, title, isFavorite: favorites.has(shortId) }]))
  return [...byId.values()].slice(0, count)
}
