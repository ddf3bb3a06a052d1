import { type Contents, type ItemKind, kindWords, mapLinks, nameOf, pathPrefix, type StoredItem, type Tile } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import { isInJoinedTransaction, openJoinedTransaction } from '../../store/joined-transaction.ts'
import { deleteManagedItems } from '../../store/managed/managed-items-table.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'
import { changeItem, deleteItem, type ProjectDeps } from './change-project-item.ts'
import type { Ids } from './inputs.ts'
import { lockItems } from './lock-items.ts'
import { type GivenMark, markManaged } from './mark-managed.ts'
import { readNames, readProject } from './read-project.ts'

/**
 * Applies many changes of items in one transaction, with the functions that the pages use, so that each is checked and recorded in the same
 * way. A change names the hash of the item that it is based on. If any item has changed since, nothing is changed.
 *
 * A link to an item that the same request creates is `path:` with its path.
 */
export interface GivenChanges {
  changes: GivenChange[]
  marks?: GivenMark[]
}

export type GivenChange = {
  [Kind in ItemKind]: {
    kind: Kind
    /** Of the file, for messages and links. */
    path: string
    /** Null for a new item. */
    id: string | null
    /** Null for a new item. */
    expectedHash: string | null
    /** Null deletes the item. */
    content: Contents[Kind] | null
  }
}[ItemKind]

export interface AppliedItem {
  kind: ItemKind
  path: string
  id: string
  /** Of the item as it is now. */
  hash: string
  name: string
}

export async function applyProject(
  deps: ProjectDeps,
  caller: Caller,
  { isDryRun = false, ...given }: GivenChanges & { isDryRun?: boolean },
): Promise<AppliedItem[]> {
  const byFiles: Caller = { ...caller, appliesFiles: true }
  if (isInJoinedTransaction() && !isDryRun) return applyAll(deps, byFiles, given)
  const joined = openJoinedTransaction(deps.db)
  try {
    const applied = await joined.enter(() => applyAll(deps, byFiles, given))
    if (!isDryRun) await joined.commit()
    return applied
  } finally {
    await joined.rollback()
  }
}

async function applyAll(deps: ProjectDeps, caller: Caller, { changes, marks = [] }: GivenChanges): Promise<AppliedItem[]> {
  refuseRepeated(changes)
  await lockItems(deps, caller, changes)
  refuseConflicts(changes, await readProject(deps, caller))
  const ids = invert(await readNames(deps, caller))
  for (const change of changes.filter(isDeletedFirst)) await at(change, () => deleteItem(deps, caller, change))
  const created = await applyContents(deps, caller, changes, ids)
  for (const change of inOrderOfDeletion(changes)) await at(change, () => deleteItem(deps, caller, change))
  await forgetDeleted(deps, caller, changes)
  const items = await readProject(deps, caller)
  await markManaged(deps, caller, { marks, created, after: items })
  const after = new Map(items.map((item) => [`${item.kind} ${item.id}`, item]))
  return changes.flatMap((change) => {
    const item = after.get(`${change.kind} ${change.id ?? created.get(keyOf(change))}`)
    return item ? [{ kind: item.kind, path: change.path, id: item.id, hash: item.hash, name: nameOf(item.content) }] : []
  })
}

const keyOf = ({ kind, path }: { kind: ItemKind; path: string }) => `${kind} ${path}`

function refuseRepeated(changes: GivenChange[]): void {
  const seen = new Set<string>()
  for (const change of changes) {
    for (const key of [keyOf(change), ...(change.id === null ? [] : [`id ${change.kind} ${change.id}`])]) {
      if (seen.has(key)) throw refusedAt(change.path, 'is given twice. Name each item once.')
      seen.add(key)
    }
    if (change.id === null && !change.content) throw refusedAt(change.path, 'has neither an id nor a content.')
  }
}

const refusedAt = (path: string, message: string) => new Refusal('invalid_request', `${path} ${message}`, [{ path, message }])

function refuseConflicts(changes: GivenChange[], stored: StoredItem[]): void {
  const byKey = new Map(stored.map((item) => [`${item.kind} ${item.id}`, item]))
  const details = changes.flatMap((change): RefusalDetail[] => {
    if (change.id === null) return []
    const item = byKey.get(`${change.kind} ${change.id}`)
    if (!item) return [{ path: change.path, message: `This ${kindWords[change.kind]} does not exist. It may have been deleted.` }]
    if (item.hash === change.expectedHash) return []
    const name = `The ${kindWords[change.kind]} “${nameOf(item.content)}”`
    return [{ path: change.path, message: `${name} has changed since the state that the change is based on.` }]
  })
  if (details.length === 0) return
  const count = details.length === 1 ? '1 item has' : `${details.length} items have`
  const message = `${count} changed on the service. Nothing was changed. Get the current state, then repeat your change.`
  throw new Refusal('project_conflict', message, details)
}

const invert = ({ databases, members }: { databases: ReadonlyMap<string, string>; members: ReadonlyMap<string, string> }): Ids => ({
  databases: new Map([...databases].map(([id, name]) => [name, id])),
  members: new Map([...members].map(([id, email]) => [email.toLowerCase(), id])),
})

const kindOrder: ItemKind[] = ['folder', 'query', 'board', 'automation', 'metric', 'question_set']

/** These free their names for others. Queries and folders are deleted when nothing uses them any more. */
const isDeletedFirst = ({ kind, content }: GivenChange) => content === null && kind !== 'query' && kind !== 'folder'

function inOrderOfDeletion(changes: GivenChange[]): GivenChange[] {
  const deleted = changes.filter((change) => change.content === null && !isDeletedFirst(change))
  return deleted.toSorted((a, b) => kindOrder.indexOf(b.kind) - kindOrder.indexOf(a.kind) || b.path.split('/').length - a.path.split('/').length)
}

/** A restored item is not managed any more. */
function forgetDeleted({ db }: ProjectDeps, { organizationId }: Caller, changes: GivenChange[]): Promise<void> {
  const deleted = changes.flatMap(({ kind, id, content }) => (content === null && id !== null ? [{ kind, id }] : []))
  return db.transaction().execute((tx) => deleteManagedItems(tx, organizationId, deleted))
}

/** Creates and changes items, each after those that it links to. Returns the ids of new items. */
async function applyContents(deps: ProjectDeps, caller: Caller, changes: GivenChange[], ids: Ids): Promise<Map<string, string>> {
  const created = new Map<string, string>()
  const depth = ({ path }: GivenChange) => path.split('/').length
  let waiting = changes
    .filter(({ content }) => content !== null)
    .toSorted((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || depth(a) - depth(b))
  const pending = new Set(waiting.filter(({ id }) => id === null).map(keyOf))

  while (waiting.length > 0) {
    const left: GivenChange[] = []
    for (const change of waiting) {
      const { content, open } = resolveLinks(change, created)
      const unknown = open.find((key) => !pending.has(key))
      if (unknown !== undefined) throw refusedAt(change.path, `names ${unknown.slice(unknown.indexOf(' ') + 1)}, which the request does not create.`)
      if (open.length > 0) left.push(change)
      else await apply(change, content)
    }
    waiting = left.length < waiting.length ? left : await breakCircle(left)
  }
  return created

  async function apply(change: GivenChange, content: Contents[ItemKind]): Promise<void> {
    const id = change.id ?? created.get(keyOf(change)) ?? null
    created.set(keyOf(change), await at(change, () => changeItem(deps, caller, { kind: change.kind, id, content }, ids)))
  }
  /** Boards may open each other: one of them is created first without that, and changed at the end. */
  async function breakCircle(left: GivenChange[]): Promise<GivenChange[]> {
    const board = left.find((change) => change.kind === 'board' && resolveLinks(change, created).open.every((key) => key.startsWith('board ')))
    if (!board || created.has(keyOf(board))) throw refusedAt(left[0]!.path, 'is part of a circle of items that name each other.')
    await apply(board, withoutOpenBoards(resolveLinks(board, created).content as Contents['board']))
    return left
  }
}

/** The content with ids for links to new items, and the links to items that are not created yet. */
function resolveLinks(change: GivenChange, created: Map<string, string>): { content: Contents[ItemKind]; open: string[] } {
  const open: string[] = []
  const content = mapLinks(change.kind, change.content as never, (link, kind) => {
    if (!link.startsWith(pathPrefix)) return link
    const key = `${kind} ${link.slice(pathPrefix.length)}`
    const id = created.get(key)
    if (id === undefined) open.push(key)
    return id ?? link
  })
  return { content, open }
}

const close = (tiles: Tile[]): Tile[] =>
  tiles.map(({ opens, ...tile }) => (opens?.board.startsWith(pathPrefix) ? tile : { ...tile, ...(opens && { opens }) }))

function withoutOpenBoards(content: Contents['board']): Contents['board'] {
  return {
    ...content,
    ...(content.tiles && { tiles: close(content.tiles) }),
    ...(content.tabs && { tabs: content.tabs.map((tab) => ({ ...tab, ...(tab.tiles && { tiles: close(tab.tiles) }) })) }),
  }
}

/** Names the file in the refusal of its change. */
async function at<Result>({ path }: GivenChange, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = error.details?.map((detail) => ({ path: `${path}${detail.path}`, message: detail.message }))
    throw new Refusal(error.code, `${path}: ${error.message}`, details ?? [{ path, message: error.message }])
  }
}
