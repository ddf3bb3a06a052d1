import { type ItemKind, kindWords, type StoredItem } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import type { ManagedItem, ManagedKey } from '../../model/managed-item.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { deleteManagedItems, putManagedItems } from '../../store/managed/managed-items-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction } from '../audit/record-action.ts'
import { isWebAddress } from '../web-address.ts'
import { getOrganization } from '../people/organization-settings.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'

/** Says that a file manages an item, or no longer does. */
export interface GivenMark {
  kind: ItemKind
  /** Of the file. */
  path: string
  /** Null for an item that the same request creates from this path. */
  id: string | null
  /** Of the file, for people. Null: it no longer manages the item. */
  url: string | null
}

export interface MarkDeps {
  db: Db
  clock: Clock
  random: Random
}

/** `created` are the ids of new items, by kind and path; `after` are the items once all changes are applied. */
export async function markManaged(
  deps: MarkDeps,
  caller: Caller,
  { marks, created, after }: { marks: GivenMark[]; created: ReadonlyMap<string, string>; after: readonly StoredItem[] },
): Promise<void> {
  if (marks.length === 0) return
  requireAdmin(caller)
  const found = findItems(marks, { created, after })
  const managed = found.filter((item): item is ManagedItem => item.url !== null)
  const unmanaged = found.filter(({ url }) => url === null)
  const { organizationId } = caller
  const { name } = await getOrganization(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    await putManagedItems(tx, organizationId, managed)
    await deleteManagedItems(tx, organizationId, unmanaged)
    await recordAction({ ...deps, tx }, caller, {
      action: 'organization.managed_items_changed',
      subject: { type: 'organization', id: organizationId, name },
      details: { managedCount: managed.length, unmanagedCount: unmanaged.length },
    })
  })
}

function findItems(
  marks: GivenMark[],
  { created, after }: { created: ReadonlyMap<string, string>; after: readonly StoredItem[] },
): (ManagedKey & { url: string | null })[] {
  const existing = new Set(after.map(({ kind, id }) => `${kind} ${id}`))
  const faults: RefusalDetail[] = []
  const found = marks.map(({ kind, path, id: given, url }) => {
    const id = given ?? created.get(`${kind} ${path}`) ?? ''
    if (!existing.has(`${kind} ${id}`)) faults.push({ path, message: `This ${kindWords[kind]} does not exist.` })
    if (url !== null && !isWebAddress(url)) faults.push({ path, message: 'The url must begin with https:// or http://.' })
    return { kind, id, url }
  })
  if (faults.length > 0) throw new Refusal('invalid_request', `Nothing was changed. ${faults[0]!.path}: ${faults[0]!.message}`, faults)
  return found
}
