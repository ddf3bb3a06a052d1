import type { AccessMatrix } from '../../api/access.ts'

type Folder = AccessMatrix['folders'][number]

/** Each folder after the one that it is in. */
export function folderRows(folders: Folder[]): (Folder & { depth: number })[] {
  const inside = Map.groupBy(folders, ({ parentId }) => parentId)
  const below = (parentId: string | null, depth: number): (Folder & { depth: number })[] =>
    (inside.get(parentId) ?? []).flatMap((folder) => [Object.assign({}, folder, { depth })].concat(below(folder.id, depth + 1)))
  return below(null, 0)
}
