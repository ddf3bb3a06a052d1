import { hashOf } from './canonical.ts'
import { type Contents, type FileItem, type ItemKind, nameOf, type StoredItem } from './items.ts'
import { mapLinks } from './links.ts'
import { keyOf, type KnownItem, type KnownItems } from './paths.ts'
import { toFileItems } from './translate.ts'

export interface Match {
  file: FileItem
  /** The item that the file is about, as it was known, and where its file was then. Undefined for an item that was not known. */
  known?: KnownItem & { path: string }
  /** Undefined if the service has no such item. */
  stored?: StoredItem
}

/**
 * Finds the item of each file. A file with a known path is about the item that was there. Any other file is the moved one that resembles
 * it most, or, if the service has an item with that path, about that one. The rest is new.
 */
export function matchItems(
  files: readonly FileItem[],
  stored: readonly StoredItem[],
  known: KnownItems,
): { matches: Match[]; missing: (KnownItem & { path: string })[] } {
  const byKey = new Map(stored.map((item) => [keyOf(item), item]))
  const asFiles = toFileItems(stored, known)
  const missing = new Map([...known].map(([path, item]) => [path, { ...item, path }]))
  const matches = new Map<FileItem, Match>()
  const pair = (file: FileItem, item: KnownItem & { path: string }) => {
    const its = byKey.get(keyOf(item))
    matches.set(file, { file, known: item, ...(its && { stored: its }) })
    missing.delete(item.path)
  }
  for (const file of files) {
    const item = missing.get(file.path)
    if (item?.kind === file.kind) pair(file, item)
  }
  const storedContents = new Map(asFiles.map((each) => [keyOf(each.item), each]))
  for (const isSimilar of [isEqual, hasSameName, sharesText]) {
    for (const file of files) {
      if (matches.has(file)) continue
      const moved = [...missing.values()].find((item) => {
        const before = storedContents.get(keyOf(item))
        return item.kind === file.kind && before !== undefined && isSimilar(file, before)
      })
      if (moved) pair(file, moved)
    }
  }
  const knownKeys = new Set([...known.values()].map(keyOf))
  const byPath = new Map(asFiles.filter(({ item }) => !knownKeys.has(keyOf(item))).map((each) => [`${each.kind} ${each.path}`, each.item]))
  return {
    matches: files.map((file) => {
      const same = byPath.get(`${file.kind} ${file.path}`)
      return matches.get(file) ?? { file, ...(same && { stored: same }) }
    }),
    missing: [...missing.values()],
  }
}

type IsSimilar = (a: FileItem, b: FileItem) => boolean

/** Apart from names, places and what they refer to. */
const isEqual: IsSimilar = (a, b) => a.kind !== 'folder' && bareHash(a) === bareHash(b)

const hasSameName: IsSimilar = (a, b) => nameOf(a.content) === nameOf(b.content)

/** At least half of the lines. */
const sharesText: IsSimilar = (a, b) => {
  const [linesOfA, linesOfB] = [linesOf(a), linesOf(b)]
  const shared = [...linesOfA].filter((line) => linesOfB.has(line)).length
  return a.kind !== 'folder' && shared > 0 && shared * 2 >= Math.max(linesOfA.size, linesOfB.size)
}

function bareHash({ kind, content }: FileItem): string {
  const { folder: _, ...rest } = content as Contents['query']
  const named = { ...rest, ...('title' in content ? { title: '' } : { name: '' }) }
  return hashOf(kind, mapLinks(kind, named as Contents[ItemKind] as never, () => '') as never)
}

const linesOf = ({ content }: FileItem): Set<string> => {
  const { folder: _, title: __, name: ___, database: ____, ...rest } = content as Contents['query'] & { name?: string }
  const lines = JSON.stringify(rest, undefined, 1).replaceAll(String.raw`\n`, '\n').split('\n')
  return new Set(lines.map((line) => line.trim()).filter((line) => line.length > 3))
}
