/** An *item* is something that people save and find again: a query (its reference) or a board. */
export const itemKinds = ['reference', 'board'] as const
export type ItemKind = (typeof itemKinds)[number]

export interface Item {
  kind: ItemKind
  shortId: string
  title: string
  description: string | null
}

/** How one person finds an item. Tags and the folder are the same for everybody. */
export interface ItemMarks {
  isFavorite: boolean
  folderId: string | null
  tags: string[]
}

/** A deleted item, as the trash shows it. */
export interface TrashItem {
  kind: ItemKind
  shortId: string
  title: string
  deletedAt: Date
  /** Null if it was deleted before the trash kept this. */
  deletedBy: { id: string; name: string } | null
}

/** How long a deleted item can be restored. Longer than any list refers to the past. */
export const deletedItemKeptMs = 30 * 24 * 3600_000

export const itemLimits = {
  /** How many items one request may change. */
  changedAtOnce: 200,
  /** Of one item. */
  tags: 20,
  tagCharacters: 50,
  /** Of one person in an organization. */
  favorites: 200,
  recentViews: 50,
  /** Suggested tags, the most used first. */
  suggestedTags: 200,
} as const
