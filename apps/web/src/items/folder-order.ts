import type { Folder } from '../api/folders.ts'

export type FolderPlace = Pick<Folder, 'id' | 'name' | 'parentId'>

export interface PlacedFolder extends FolderPlace {
  /** 0 at the top. */
  depth: number
  /** Its name and those of the folders around it, such as `Finance / Reports`. */
  path: string
}

/** The folders as a tree: each is followed by the folders in it, in alphabetical order. */
export function inTreeOrder(folders: readonly FolderPlace[]): PlacedFolder[] {
  const known = new Set(folders.map(({ id }) => id))
  const within = (parentId: string | null, depth: number, prefix: string): PlacedFolder[] =>
    folders
      // A folder whose parent is missing, because it was deleted while this list was loaded, is shown at the top.
      .filter((folder) => (folder.parentId !== null && known.has(folder.parentId) ? folder.parentId : null) === parentId)
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .flatMap((folder) => {
        const path = `${prefix}${folder.name}`
        const { id, name, parentId } = folder
        return [{ id, name, parentId, depth, path }].concat(within(id, depth + 1, `${path} / `))
      })
  return within(null, 0, '')
}

/** Whether `id` is the folder or inside of it. A folder can't be moved into itself. */
export function isWithin(folders: readonly FolderPlace[], id: string | null, folderId: string): boolean {
  if (id === null) return false
  return id === folderId || isWithin(folders, folders.find((folder) => folder.id === id)?.parentId ?? null, folderId)
}
