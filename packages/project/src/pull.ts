import { type FileItem, kindWords, nameOf, type StoredItem } from './items.ts'
import { matchItems } from './match-items.ts'
import { fileOf, keyOf, type KnownItem, type KnownItems } from './paths.ts'
import { printFile } from './print-file.ts'
import { toFileItems, toStoredContent } from './translate.ts'

/** What a pull does to the files of a project. Files that were edited since the last pull or push are never overwritten. */
export interface PullPlan {
  /** Texts by file. */
  written: Map<string, string>
  removed: string[]
  /** Edited files of items that have also changed on the service. */
  conflicts: { path: string; words: string }[]
  /** By path. */
  known: Map<string, KnownItem>
}

export interface PullInput {
  /** The items of the files that are there. */
  files: readonly FileItem[]
  /** Their texts, by file. */
  texts: ReadonlyMap<string, string>
  stored: readonly StoredItem[]
  known: KnownItems
}

export function planPull({ files, texts, stored, known: before }: PullInput): PullPlan {
  const plan: PullPlan = { written: new Map(), removed: [], conflicts: [], known: new Map() }
  const { known, edited } = findEdited({ files, stored, known: before })
  const pulled = toFileItems(stored, known)
  const paths = new Map(pulled.map(({ item, path }) => [keyOf(item), path]))
  for (const each of pulled) pullItem(plan, each, { texts, known, editedPath: edited.get(keyOf(each.item)) })
  for (const [path, item] of known) {
    const file = fileOf({ kind: item.kind, path })
    const isEdited = edited.has(keyOf(item))
    if (isEdited && !paths.has(keyOf(item)) && texts.has(file)) {
      plan.known.set(path, item)
      plan.conflicts.push({ path, words: `the ${kindWords[item.kind]} “${item.name}” was changed here and deleted on the service` })
    } else if (!isEdited && paths.get(keyOf(item)) !== path && texts.has(file) && !plan.written.has(file)) plan.removed.push(file)
  }
  return plan
}

function pullItem(
  plan: PullPlan,
  each: FileItem & { item: StoredItem },
  { texts, known, editedPath }: { texts: ReadonlyMap<string, string>; known: KnownItems; editedPath: string | undefined },
): void {
  const { item, path } = each
  const name = `the ${kindWords[item.kind]} “${nameOf(item.content)}”`
  if (editedPath !== undefined) {
    const base = known.get(editedPath)!
    plan.known.set(editedPath, base)
    if (base.hash !== item.hash) plan.conflicts.push({ path: editedPath, words: `${name} has changed here and on the service` })
    return
  }
  const file = fileOf(each)
  const text = printFile(each)
  if (texts.has(file) && !known.has(path) && texts.get(file) !== text) {
    plan.conflicts.push({ path, words: `${name} of the service would overwrite this file` })
    return
  }
  if (texts.get(file) !== text) plan.written.set(file, text)
  plan.known.set(path, { kind: item.kind, id: item.id, hash: item.hash, name: nameOf(item.content) })
}

/**
 * What is known, with the paths to which files were moved; and the paths of items whose files differ from what was known of them, or are
 * gone.
 */
function findEdited({ files, stored, known }: Omit<PullInput, 'texts'>): { known: KnownItems; edited: Map<string, string> } {
  const { matches, missing } = matchItems(files, stored, known)
  const matched = matches.flatMap(({ file, known: item }) => (item ? [{ file, item }] : []))
  const ids = new Map(matched.map(({ file, item }) => [`${file.kind} ${file.path}`, item.id]))
  const find = (kind: string, path: string) => ids.get(`${kind} ${path}`)
  const edited = new Map<string, string>()
  for (const { file, item } of matched) {
    const { hash } = toStoredContent(file as FileItem & { kind: 'query' }, { find, exists: () => true })
    if (hash !== item.hash) edited.set(keyOf(item), file.path)
  }
  for (const item of missing) edited.set(keyOf(item), item.path)
  const current = [...matched.map(({ file, item }) => ({ item, path: file.path })), ...missing.map((item) => ({ item, path: item.path }))]
  return { known: new Map(current.map(({ path, item: { kind, id, hash, name } }) => [path, { kind, id, hash, name }])), edited }
}
