/** A *folder* orders boards and queries. Folders are nested. */
export interface Folder {
  id: string
  name: string
  /** Null at the top. */
  parentId: string | null
  createdAt: Date
  updatedAt: Date
}

export const folderLimits = {
  folders: 1_000,
  nameCharacters: 100,
  /** How deep folders may be nested: a folder at the top has depth 1. */
  depth: 10,
} as const
