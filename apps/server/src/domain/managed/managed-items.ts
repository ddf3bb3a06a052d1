import { kindWords } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import type { ManagedItem, ManagedKey } from '../../model/managed-item.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findManagedUrl, listManagedItems } from '../../store/managed/managed-items-table.ts'
import { Refusal } from '../refusal.ts'

/** Null if no file manages the item. */
export async function getManagedUrl(db: Db | Tx, { organizationId }: Caller, key: ManagedKey): Promise<string | null> {
  return (await findManagedUrl(db, { organizationId, ...key })) ?? null
}

/** Before an item is changed or deleted, or something is put into or taken out of a folder. */
export async function requireUnmanaged(db: Db | Tx, caller: Caller, key: ManagedKey): Promise<void> {
  if (caller.appliesFiles) return
  const url = await getManagedUrl(db, caller, key)
  if (url === null) return
  throw new Refusal('managed_by_files', `This ${kindWords[key.kind]} is managed in Git. Change ${url} instead, and push the change.`)
}

/** The top of the tree is never managed. */
export async function requireUnmanagedFolder(db: Db | Tx, caller: Caller, folderId: string | null): Promise<void> {
  if (folderId !== null) await requireUnmanaged(db, caller, { kind: 'folder', id: folderId })
}

export async function isManagedFolder(db: Db | Tx, caller: Caller, folderId: string | null): Promise<boolean> {
  return folderId !== null && (await getManagedUrl(db, caller, { kind: 'folder', id: folderId })) !== null
}

/** The managed items of a kind, or one of them. */
export async function listManaged(
  { db }: { db: Db },
  { organizationId }: Caller,
  { kind, id }: Pick<ManagedKey, 'kind'> & { id?: string },
): Promise<ManagedItem[]> {
  if (id === undefined) return listManagedItems(db, { organizationId, kind })
  const url = await findManagedUrl(db, { organizationId, kind, id })
  return url === undefined ? [] : [{ kind, id, url }]
}
