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

export const itemLimits = {
  /** Of one item. */
  tags: 20,
  tagCharacters: 50,
  /** Of one person in an organization. */
  favorites: 200,
  recentViews: 50,
  /** Suggested tags, the most used first. */
  suggestedTags: 200,
} as const
