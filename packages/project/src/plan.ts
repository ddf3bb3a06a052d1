import { type Contents, type FileItem, type ItemKind, kindWords, nameOf, type StoredItem } from './items.ts'
import { describeDifference } from './describe-difference.ts'
import { matchItems, type Match } from './match-items.ts'
import type { KnownItem, KnownItems } from './paths.ts'
import { toStoredContent } from './translate.ts'

/**
 * A *plan* says what a push does to each item. Three states of an item decide: what was *known* of it at the last pull or push, what the
 * service has *stored* now, and what its *file* says.
 *
 * - A file that differs from the last known state was edited by the person who pushes.
 * - A stored item that differs from it was changed on the pages. If its file has changed too, that is a *conflict*, unless both
 *   say the same.
 */
export interface Plan {
  changes: PlannedChange[]
  conflicts: Conflict[]
  /** What the push leaves alone, and why. */
  notes: { path: string; words: string }[]
  /** Items that are as their files say, by path. */
  unchanged: Map<string, KnownItem>
}

export type PlannedChange = {
  [Kind in ItemKind]: {
    action: 'create' | 'change' | 'rename' | 'move' | 'delete'
    kind: Kind
    path: string
    words: string
    /** Null for a new item. */
    id: string | null
    /** Of the item as it is stored. Null for a new item. */
    expectedHash: string | null
    /** Null for an item to delete. */
    content: Contents[Kind] | null
  }
}[ItemKind]

export interface Conflict {
  path: string
  words: string
}

export interface PlanInput {
  files: readonly FileItem[]
  stored: readonly StoredItem[]
  known: KnownItems
  /** Whether items whose files were deleted are deleted too. */
  deletes: boolean
}

export function planChanges({ files, stored, known, deletes }: PlanInput): Plan {
  const { matches, missing } = matchItems(files, stored, known)
  const plan: Plan = { changes: [], conflicts: [], notes: [], unchanged: new Map() }
  const idsByPath = new Map(matches.map(({ file, stored: its }) => [`${file.kind} ${file.path}`, its?.id]))
  const ids = {
    find: (kind: ItemKind, path: string) => idsByPath.get(`${kind} ${path}`),
    exists: (kind: ItemKind, path: string) => idsByPath.has(`${kind} ${path}`),
  }
  for (const match of matches) {
    const { content, hash, dangling } = toStoredContent(match.file as FileItem & { kind: 'query' }, ids)
    for (const { link } of dangling) plan.conflicts.push({ path: match.file.path, words: `names ${link}, which is not among the files` })
    planFile(plan, match, { content, hash })
  }
  for (const item of missing) planMissing(plan, item, { deletes, stored: stored.find(({ kind, id }) => kind === item.kind && id === item.id) })
  return plan
}

const named = ({ kind, content }: { kind: ItemKind; content: Contents[ItemKind] }) => `the ${kindWords[kind]} “${nameOf(content)}”`

function planFile(plan: Plan, { file, known, stored }: Match, wanted: { content: Contents[ItemKind]; hash: string }): void {
  const { kind, path } = file
  const add = (action: PlannedChange['action'], words: string) => {
    const change = { action, kind, path, words, id: stored?.id ?? null, expectedHash: stored?.hash ?? null, content: wanted.content }
    plan.changes.push(change as PlannedChange)
  }
  if (!stored) {
    if (known) plan.conflicts.push({ path, words: `${named(file)} was deleted on the service since you pulled` })
    else add('create', named(file))
    return
  }
  if (stored.hash === wanted.hash) {
    plan.unchanged.set(path, { kind, id: stored.id, hash: stored.hash, name: nameOf(stored.content) })
    return
  }
  const difference = describeDifference(stored, wanted.content)
  if (!known) {
    plan.conflicts.push({ path, words: `${named(stored)} exists on the service and differs in ${difference.fields.join(', ')}` })
  } else if (known.hash === stored.hash) {
    add(difference.action, `${named(stored)}${difference.words}`)
  } else if (known.hash === wanted.hash) {
    plan.notes.push({ path, words: `${named(stored)} has changed on the service; pull to get the change` })
  } else {
    const fields = difference.fields.join(', ')
    plan.conflicts.push({ path, words: `${named(stored)} has changed on the service since you pulled, and differs in ${fields}` })
  }
}

function planMissing(
  plan: Plan,
  { kind, path, hash }: KnownItem & { path: string },
  { stored, deletes }: { stored: StoredItem | undefined; deletes: boolean },
): void {
  if (!stored) return
  if (!deletes) {
    plan.notes.push({ path, words: `${named(stored)} has no file any more, but stays: --delete would delete it` })
  } else if (hash === stored.hash) {
    plan.changes.push({ action: 'delete', kind, path, words: named(stored), id: stored.id, expectedHash: stored.hash, content: null })
  } else {
    plan.conflicts.push({ path, words: `${named(stored)} has changed on the service since you pulled, so it is not deleted` })
  }
}
