import { hashOf } from './canonical.ts'
import type { Contents, FileItem, ItemKind, StoredItem } from './items.ts'
import { mapLinks } from './links.ts'
import { choosePaths, type KnownItems } from './paths.ts'

/** How a link in a file names something that has no file, such as a deleted query. */
const idPrefix = 'id:'

/** How a link in a content with ids names an item that does not exist yet. */
export const pathPrefix = 'path:'

/** The files of all items. */
export function toFileItems(items: readonly StoredItem[], known: KnownItems = new Map()): (FileItem & { item: StoredItem })[] {
  const paths = choosePaths(items, known)
  const byLink = new Map([...paths].map(([{ kind, id }, path]) => [`${kind} ${id}`, path]))
  return [...paths].map(([item, path]) => {
    const content = mapLinks(item.kind, item.content as never, (link, kind, isInSql) => {
      return byLink.get(`${kind} ${link}`) ?? (isInSql ? link : `${idPrefix}${link}`)
    })
    return { kind: item.kind, path, content, item } as FileItem & { item: StoredItem }
  })
}

export interface DanglingLink {
  path: string
  link: string
}

/** A content with ids, and what it has instead of paths that are not known. */
export function toStoredContent<Kind extends ItemKind>(
  item: { kind: Kind; path: string; content: Contents[Kind] },
  ids: { find(kind: ItemKind, path: string): string | undefined; exists(kind: ItemKind, path: string): boolean },
): { content: Contents[Kind]; hash: string; dangling: DanglingLink[] } {
  const dangling: DanglingLink[] = []
  const content = mapLinks(item.kind, item.content, (link, kind, isInSql) => {
    if (link.startsWith(idPrefix)) return link.slice(idPrefix.length)
    const id = ids.find(kind, link)
    if (id !== undefined) return id
    if (ids.exists(kind, link)) return `${pathPrefix}${link}`
    if (!isInSql || link.endsWith('.sql')) dangling.push({ path: item.path, link })
    return link
  })
  return { content, hash: hashOf(item.kind, content), dangling }
}
