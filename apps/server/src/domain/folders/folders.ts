import type { Caller } from '../../model/caller.ts'
import { folderLimits, type Folder } from '../../model/folder.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  findFolder,
  insertFolder,
  isFolderInUse,
  listFolders as readFolders,
  lockFolderAgainstDeletion,
  lockFolders,
  markFolderDeleted,
  updateFolder,
} from '../../store/folders/folders-table.ts'
import { readFoldersPage } from '../../store/folders/read-folders-page.ts'
import { requireFolderEdit, requireFullSight } from '../access/require-access.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { type BasedOn, contentVersion, requireVersion } from '../content-version.ts'
import { isId, newId } from '../ids.ts'
import { requireUnmanagedFolder } from '../managed/managed-items.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { faultOfPlace } from './folder-tree.ts'

export interface FoldersDeps {
  db: Db
  clock: Clock
  random: Random
}

/** All folders, by name. */
export const listFolders = (deps: Pick<FoldersDeps, 'db'>, { organizationId }: Caller): Promise<Folder[]> =>
  readFolders(deps.db, organizationId)

/** The published list: newest first; all pages show the moment of the first. */
export function listFoldersPage(deps: PageDeps & { db: Db }, caller: Caller, request: PageRequest): Promise<Page<Folder>> {
  return readPage(deps, { caller, list: 'folders', request, read: (page) => readFoldersPage(deps.db, page) })
}

export async function createFolder(
  deps: FoldersDeps,
  caller: Caller,
  input: { name: string; parentId?: string | null },
): Promise<Folder> {
  const { organizationId } = caller
  const name = checkName(input.name)
  const parentId = input.parentId ?? null
  const id = newId(deps.random, 'folder')
  return deps.db.transaction().execute(async (tx) => {
    const folders = await lockAll(tx, caller)
    if (folders.length >= folderLimits.folders) {
      throw new Refusal('invalid_request', `Your organization has ${folders.length} folders, the maximum. Delete some first.`)
    }
    checkPlace(folders, { parentId })
    requireFolderEdit(caller, parentId)
    await requireUnmanagedFolder(tx, caller, parentId)
    refuseTakenName(folders, { name, parentId })
    await insertFolder(tx, { id, organizationId, name, parentId, createdBy: caller.userId, now: deps.clock.now() })
    await recordAction({ ...deps, tx }, caller, { action: 'folder.created', subject: subjectOf({ id, name }) })
    return (await findFolder(tx, { organizationId, folderId: id }))!
  })
}

/** Renames or moves a folder. */
export async function editFolder(
  deps: FoldersDeps,
  caller: Caller,
  folderId: string,
  edit: { name?: string; parentId?: string | null },
  basedOn: BasedOn = {},
): Promise<Folder> {
  const { organizationId } = caller
  return deps.db.transaction().execute(async (tx) => {
    const folders = await lockAll(tx, caller)
    const before = folders.find(({ id }) => id === folderId) ?? notFound(folderId)
    requireVersion('folder', { current: folderVersion(before), basedOn })
    const after = {
      name: edit.name === undefined ? before.name : checkName(edit.name),
      parentId: edit.parentId === undefined ? before.parentId : edit.parentId,
    }
    const changes = changesOf(before, after)
    if (Object.keys(changes).length === 0) return before
    checkPlace(folders, { id: folderId, parentId: after.parentId })
    for (const changed of [folderId, before.parentId, after.parentId]) {
      requireFolderEdit(caller, changed)
      await requireUnmanagedFolder(tx, caller, changed)
    }
    refuseTakenName(folders, { id: folderId, ...after })
    await updateFolder(tx, { id: folderId, ...after, now: deps.clock.now() })
    await recordChange({ ...deps, tx }, caller, { action: 'folder.changed', subject: subjectOf(before), details: { changes } })
    return (await findFolder(tx, { organizationId, folderId }))!
  })
}

/** Deletes an empty folder. A folder with something in it is kept, so that nobody loses the place of someone else's board. */
export async function deleteFolder(deps: FoldersDeps, caller: Caller, folderId: string, basedOn: BasedOn = {}): Promise<Folder> {
  // Whether it is empty depends on everything in it, also on what the caller may not see.
  requireFullSight(caller)
  requireFolderEdit(caller, folderId)
  return deps.db.transaction().execute(async (tx) => {
    const folders = await lockAll(tx, caller)
    const folder = folders.find(({ id }) => id === folderId) ?? notFound(folderId)
    requireVersion('folder', { current: folderVersion(folder), basedOn })
    await requireUnmanagedFolder(tx, caller, folderId)
    await markFolderDeleted(tx, { id: folderId, now: deps.clock.now() })
    // After the update, which waits for everyone who is putting something into the folder.
    if (await isFolderInUse(tx, folderId)) {
      throw new Refusal('folder_not_empty', `The folder "${folder.name}" is not empty. Move or delete what is in it, then try again.`)
    }
    await recordAction({ ...deps, tx }, caller, { action: 'folder.deleted', subject: subjectOf(folder) })
    return folder
  })
}

export const folderVersion = ({ name, parentId }: Folder) => contentVersion({ name, parentId })

/** Before something is put into a folder. The folder cannot be deleted until the transaction ends. */
export async function requireFolder(tx: Tx, caller: Caller, folderId: string): Promise<void> {
  const { organizationId } = caller
  if (!isId(folderId) || !(await lockFolderAgainstDeletion(tx, { organizationId, folderId }))) notFound(folderId)
  requireFolderEdit(caller, folderId)
  await requireUnmanagedFolder(tx, caller, folderId)
}

async function lockAll(tx: Tx, { organizationId }: Caller): Promise<Folder[]> {
  await lockFolders(tx, organizationId)
  return readFolders(tx, organizationId)
}

const checkName = (given: string): string =>
  checkText({ path: '/name', text: given, maxCharacters: folderLimits.nameCharacters })

function checkPlace(folders: Folder[], move: { id?: string; parentId: string | null }): void {
  const fault = faultOfPlace(folders, move)
  if (fault !== undefined) throw badInput('/parentId', fault)
}

function refuseTakenName(folders: Folder[], wanted: { id?: string; name: string; parentId: string | null }): void {
  const isSame = (folder: Folder) =>
    folder.id !== wanted.id && folder.parentId === wanted.parentId && folder.name.toLowerCase() === wanted.name.toLowerCase()
  if (folders.some(isSame)) {
    throw new Refusal('folder_name_taken', `There is already a folder "${wanted.name}" here. Choose another name.`)
  }
}

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'folder', id, name }) as const

function notFound(folderId: string): never {
  throw new Refusal('folder_not_found', `There is no folder ${JSON.stringify(folderId)}. It may have been deleted.`)
}
