import type { Caller } from '../../model/caller.ts'
import { itemLimits, type ItemKind, type ItemMarks } from '../../model/item.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { countFavorites, insertFavorite, readFavorites, removeFavorite, type Favorite } from '../../store/items/favorites-table.ts'
import { readMarks } from '../../store/items/read-marks.ts'
import { readRecentViews, recordView, removeOldViews, type RecentView } from '../../store/items/recent-views-table.ts'
import { readTags, readUsedTags, replaceTags, tagKey } from '../../store/items/tags-table.ts'
import type { FindReference } from '../../store/references/references-table.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange, type RecordDeps } from '../audit/record-action.ts'
import { getBoard, lockExistingBoard } from '../boards/boards.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { getReference, lockExisting } from '../references/references.ts'
import { Refusal } from '../refusal.ts'

/** Favorites, recently viewed items and tags. */
export interface ItemsDeps {
  db: Db
  clock: Clock
  random: Random
  findReference: FindReference
}

export interface ItemAddress {
  kind: ItemKind
  shortId: string
}

/** Throws if the caller's organization has no such item. */
export const getItem = (deps: Pick<ItemsDeps, 'db' | 'findReference'>, caller: Caller, { kind, shortId }: ItemAddress): Promise<{ id: string; title: string }> =>
  kind === 'reference' ? getReference(deps, caller, shortId) : getBoard(deps, caller, shortId)

const ofPerson = ({ organizationId, userId }: Caller, kind: ItemKind, itemId: string) => ({ organizationId, userId, kind, itemId })

export const listFavorites = (deps: Pick<ItemsDeps, 'db'>, caller: Caller): Promise<Favorite[]> => readFavorites(deps.db, caller)

export async function addFavorite(deps: ItemsDeps, caller: Caller, address: ItemAddress): Promise<void> {
  const { id } = await getItem(deps, caller, address)
  await deps.db.transaction().execute(async (tx) => {
    await insertFavorite(tx, { ...ofPerson(caller, address.kind, id), now: deps.clock.now() })
    if ((await countFavorites(tx, caller)) > itemLimits.favorites) {
      throw new Refusal('invalid_request', `You have ${itemLimits.favorites} favorites, the maximum. Remove some first.`)
    }
  })
}

export async function deleteFavorite(deps: ItemsDeps, caller: Caller, address: ItemAddress): Promise<void> {
  const { id } = await getItem(deps, caller, address)
  await removeFavorite(deps.db, ofPerson(caller, address.kind, id))
}

/** Pages call this once when somebody opens them, not when they poll. */
export async function noteView(deps: ItemsDeps, caller: Caller, address: ItemAddress): Promise<void> {
  const { id } = await getItem(deps, caller, address)
  await recordView(deps.db, { ...ofPerson(caller, address.kind, id), now: deps.clock.now() })
  await removeOldViews(deps.db, { ...caller, kept: itemLimits.recentViews })
}

export const listRecentViews = (deps: Pick<ItemsDeps, 'db'>, caller: Caller): Promise<RecentView[]> =>
  readRecentViews(deps.db, { ...caller, count: itemLimits.recentViews })

/** The tags that the organization uses, as suggestions. */
export const listTags = (deps: Pick<ItemsDeps, 'db'>, { organizationId }: Caller): Promise<{ tag: string; count: number }[]> =>
  readUsedTags(deps.db, { organizationId, count: itemLimits.suggestedTags })

/** Replaces all tags of an item. Tags that differ only in case are the same. */
export async function setTags(
  deps: ItemsDeps,
  caller: Caller,
  { tags, kind, shortId }: ItemAddress & { tags: string[] },
): Promise<string[]> {
  const wanted = checkTags(tags)
  const { id, title } = await getItem(deps, caller, { kind, shortId })
  const item = { organizationId: caller.organizationId, kind, itemId: id }
  return deps.db.transaction().execute(async (tx) => {
    if (caller.access) await (kind === 'board' ? lockExistingBoard : lockExisting)(tx, caller, shortId)
    const before = await readTags(tx, item)
    return saveTags({ ...deps, tx }, caller, { id, kind, shortId, title, before, wanted })
  })
}

/** Replaces the tags of an item and records what changed. */
export async function saveTags(
  deps: RecordDeps,
  caller: Caller,
  item: ItemAddress & { id: string; title: string; before: string[]; wanted: string[] },
): Promise<string[]> {
  const { kind, shortId, title, before, wanted } = item
  const tagged = { organizationId: caller.organizationId, kind, itemId: item.id }
  await replaceTags(deps.tx, { ...tagged, tags: wanted })
  const after = await readTags(deps.tx, tagged)
  await recordChange(deps, caller, {
    action: kind === 'reference' ? 'reference.changed' : 'board.changed',
    subject: { type: kind, id: shortId, name: title },
    details: { changes: changesOf({ tags: before }, { tags: after }) },
  })
  return after
}

export function checkTags(given: string[]): string[] {
  const tags = new Map(
    given.map((text, at) => {
      const tag = checkText({ path: `/tags/${at}`, text, maxCharacters: itemLimits.tagCharacters })
      return [tagKey(tag), tag]
    }),
  )
  if (tags.size > itemLimits.tags) throw badInput('/tags', `must be at most ${itemLimits.tags}; there are ${tags.size}`)
  return [...tags.values()]
}

const noMarks: ItemMarks = { isFavorite: false, folderId: null, tags: [] }

export async function getMarks(deps: ItemsDeps, caller: Caller, address: ItemAddress): Promise<ItemMarks> {
  const { organizationId, userId } = caller
  const { id } = await getItem(deps, caller, address)
  const marks = await readMarks(deps.db, { organizationId, userId, kind: address.kind, itemIds: [id] })
  return marks.get(id) ?? noMarks
}
