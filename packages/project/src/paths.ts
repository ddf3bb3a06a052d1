import { type Contents, type ItemKind, nameOf, type StoredItem } from './items.ts'

/** What the file of an item ends with. That of a folder is in the folder. */
export const fileEndings: Record<ItemKind, string> = {
  folder: '/folder.yaml',
  query: '.sql',
  board: '.board.yaml',
  automation: '.automation.yaml',
  metric: '.metric.yaml',
  question_set: '.questions.yaml',
}

/** Folders of the tree for items that are in no folder of the organization. */
const ownFolders: Partial<Record<ItemKind, string>> = { automation: 'automations', metric: 'metrics', question_set: 'question-sets' }
export const reservedFolders = new Set(Object.values(ownFolders))

/** The path of an item is that of its file; for a folder, that of the folder itself. */
export const fileOf = ({ kind, path }: { kind: ItemKind; path: string }) => (kind === 'folder' ? `${path}${fileEndings.folder}` : path)

export const folderOfPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Undefined if the file does not belong to an item. */
export function itemOfFile(file: string): { kind: ItemKind; path: string } | undefined {
  if (file.endsWith(fileEndings.folder)) return { kind: 'folder', path: folderOfPath(file) }
  const [kind] = (Object.entries(fileEndings) as [ItemKind, string][]).find(([, ending]) => file.endsWith(ending)) ?? []
  return kind && { kind, path: file }
}

const isHidden = (part: string) => part.startsWith('.') || part === 'node_modules'

/** Whether a file of a repository belongs to an item. */
export const isProjectFile = (file: string): boolean => !file.split('/').some(isHidden) && itemOfFile(file) !== undefined

/** Where an item was at the last pull or push. */
export interface KnownItem {
  kind: ItemKind
  id: string
  /** Of the content that the service had then. */
  hash: string
  name: string
}

/** By path. */
export type KnownItems = ReadonlyMap<string, KnownItem>

/**
 * A path for each item. An item keeps the path that is known if it still has the same name and folder, so that files can have names of
 * their own. Items with equal names in a folder are numbered in the order of their ids.
 */
export function choosePaths(items: readonly StoredItem[], known: KnownItems = new Map()): Map<StoredItem, string> {
  const paths = new Map<StoredItem, string>()
  const taken = new Set<string>(reservedFolders)
  const knownPaths = new Map([...known].map(([path, item]) => [keyOf(item), { path, name: item.name }]))
  const folders = new Map<string, string>()

  function choose(item: StoredItem): void {
    const folder = folderFor(item, folders)
    const earlier = knownPaths.get(keyOf(item))
    const isKept = earlier && earlier.name === nameOf(item.content) && folderOfPath(earlier.path) === folder && !taken.has(earlier.path)
    const path = isKept ? earlier.path : freePath(item, folder, (candidate) => taken.has(candidate))
    taken.add(path)
    paths.set(item, path)
    if (item.kind === 'folder') folders.set(item.id, path)
  }
  const isKnown = (item: StoredItem) => (knownPaths.has(keyOf(item)) ? 0 : 1)
  const inOrder = (some: StoredItem[]) => some.toSorted((a, b) => isKnown(a) - isKnown(b) || (a.id < b.id ? -1 : 1))
  for (const level of folderLevels(items)) for (const folder of inOrder(level)) choose(folder)
  for (const item of inOrder(items.filter(({ kind }) => kind !== 'folder'))) choose(item)
  return paths
}

export const keyOf = ({ kind, id }: { kind: ItemKind; id: string }) => `${kind} ${id}`

/** Parents before the folders in them. */
function folderLevels(items: readonly StoredItem[]): StoredItem[][] {
  const levels: StoredItem[][] = []
  let parents = new Set<string | undefined>([undefined])
  const folders = items.filter((item) => item.kind === 'folder')
  for (;;) {
    const level = folders.filter(({ content }) => parents.has(content.folder))
    if (level.length === 0) return levels
    levels.push(level)
    parents = new Set(level.map(({ id }) => id))
  }
}

function folderFor({ kind, content }: StoredItem, folders: Map<string, string>): string {
  const own = ownFolders[kind]
  if (own !== undefined) return own
  const { folder } = content as Contents['folder']
  return folder === undefined ? '' : (folders.get(folder) ?? '')
}

function freePath({ kind, content }: StoredItem, folder: string, isTaken: (path: string) => boolean): string {
  const start = `${folder === '' ? '' : `${folder}/`}${slugOf(nameOf(content)) || kind}`
  const ending = kind === 'folder' ? '' : fileEndings[kind]
  for (let number = 1; ; number++) {
    const path = `${start}${number === 1 ? '' : `-${number}`}${ending}`
    if (!isTaken(path)) return path
  }
}

const slugMaxCharacters = 60

const slugOf = (name: string): string =>
  Array.from(name.normalize('NFC').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'))
    .slice(0, slugMaxCharacters)
    .join('')
    .replaceAll(/^-+|-+$/g, '')
