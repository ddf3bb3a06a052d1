import { folderLimits, type Folder } from '../../model/folder.ts'

type Place = Pick<Folder, 'id' | 'parentId'>

/** Why a folder cannot be put into another one; undefined if it can. A folder that does not exist yet has no id. */
export function faultOfPlace(folders: readonly Place[], move: { id?: string; parentId: string | null }): string | undefined {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const above: string[] = []
  for (let id = move.parentId; id !== null; id = byId.get(id)!.parentId) {
    if (!byId.has(id)) return 'is not a folder of your organization'
    if (id === move.id) return 'must not be the folder itself or one inside it'
    above.push(id)
  }
  const depth = above.length + (move.id === undefined ? 1 : heightOf(folders, move.id))
  if (depth > folderLimits.depth) return `would nest folders more than ${folderLimits.depth} deep`
  return undefined
}

/** How many levels a folder and those inside it have. */
function heightOf(folders: readonly Place[], id: string): number {
  const children = Map.groupBy(folders, ({ parentId }) => parentId)
  const below = (of: string): number => 1 + Math.max(0, ...(children.get(of) ?? []).map((child) => below(child.id)))
  return below(id)
}
