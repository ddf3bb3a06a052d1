import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { lockDeletedItem } from '../../store/items/deleted-items.ts'
import { databaseOfQuery, lockQueryAgainstExpiry } from '../../store/queries/queries-table.ts'
import { readReferencesPage } from '../../store/references/read-references-page.ts'
import { findReferenceVersionNumber } from '../../store/references/reference-versions.ts'
import { listReferencesOfQuery, type ReferenceLink } from '../../store/references/references-of-query.ts'
import {
  type FindReference,
  insertReference,
  isShortIdInUse,
  lockReference,
  markReferenceDeleted,
  readFolderId,
  type NewReference,
  type ReferenceChanges,
  unmarkReferenceDeleted,
  updateReference,
} from '../../store/references/references-table.ts'
import { requireFolder } from '../folders/folders.ts'
import { requireUnmanaged, requireUnmanagedFolder } from '../managed/managed-items.ts'
import { requireFolderEdit } from '../access/require-access.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange, type RecordDeps } from '../audit/record-action.ts'
import { type BasedOn, requireVersion } from '../content-version.ts'
import { newId, newShortId, newUuid, shortIdPattern } from '../ids.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { checkDefinitions } from '../parameters/check-definitions.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { Caller } from '../../model/caller.ts'
import { type FindQuery, noSuchQuery, storeQuery, getStoredQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import { refuseReadingItself } from '../saved-queries/refuse-reading-itself.ts'
import { deletedItemKeptMs } from '../../model/item.ts'
import { defaultTitle, type DeletedReference, type Reference, type ReferenceInFull } from '../../model/reference.ts'
import { checkVisualization } from './check-visualization.ts'
import type { Visualization } from '@querypost/visualization'

export interface ReferencesDeps extends PageDeps {
  db: Db
  clock: Clock
  random: Random
  findReference: FindReference
  findQuery: FindQuery
}

export function listReferences(deps: ReferencesDeps, caller: Caller, request: PageRequest): Promise<Page<Reference>> {
  return readPage(deps, { caller, list: 'references', request, read: (page) => readReferencesPage(deps.db, page) })
}

export async function getReference(
  deps: Pick<ReferencesDeps, 'findReference'>,
  caller: Pick<Caller, 'organizationId'>,
  shortId: string,
): Promise<ReferenceInFull> {
  if (!shortIdPattern.test(shortId)) return notFound(shortId)
  const reference = await deps.findReference({ organizationId: caller.organizationId, shortId })
  return reference ?? notFound(shortId)
}

/** The references that point to a query, without deleted ones. */
export function listReferencesTo(deps: Pick<ReferencesDeps, 'db'>, caller: Caller, queryId: string): Promise<ReferenceLink[]> {
  return listReferencesOfQuery(deps.db, { organizationId: caller.organizationId, queryId })
}

/** For the permalink, which anyone may open: it reveals that there is a page, but not what is on it. */
export async function isLivingReference(deps: Pick<ReferencesDeps, 'db'>, shortId: string): Promise<boolean> {
  return shortIdPattern.test(shortId) && isShortIdInUse(deps.db, shortId)
}

export type VersionedReference = ReferenceInFull & { version: number }

/** The version is read first: if the reference changes in between, a change that is based on it is rejected rather than lost. */
export async function getVersionedReference(
  deps: Pick<ReferencesDeps, 'db' | 'findReference'>,
  caller: Pick<Caller, 'organizationId'>,
  shortId: string,
): Promise<VersionedReference> {
  if (!shortIdPattern.test(shortId)) return notFound(shortId)
  const version = await findReferenceVersionNumber(deps.db, { organizationId: caller.organizationId, shortId })
  return { ...(await getReference(deps, caller, shortId)), version: version ?? 0 }
}

export interface ReferenceContent {
  title?: string
  description?: string | null
  visualization?: Visualization | null
  parameters?: ParameterDefinition[]
}

export async function createReference(
  deps: ReferencesDeps,
  caller: Caller,
  input: { queryId: string } & ReferenceContent,
): Promise<ReferenceInFull> {
  const query = await getStoredQuery(deps, caller, input.queryId)
  return insert(deps, caller, { ...input, queryId: query.id, isOptimistic: false })
}

/** Stores SQL and a reference to it, both or neither. */
export async function saveReference(
  deps: ReferencesDeps,
  caller: Caller,
  input: ReferenceContent & { sql: string; analyticalDatabaseConfigId: string; folderId?: string | null },
): Promise<ReferenceInFull> {
  const { sql, analyticalDatabaseConfigId, ...content } = input
  return deps.db.transaction().execute(async (tx) => {
    if (content.folderId) await requireFolder(tx, caller, content.folderId)
    const query = await storeQuery({ ...deps, db: tx }, caller, { sql, analyticalDatabaseConfigId, isSaved: true })
    const shortId = await insertWithin({ ...deps, tx }, caller, { ...content, queryId: query.id, isOptimistic: false })
    return lockExisting(tx, caller, shortId)
  })
}

/** Reserves a permalink, and the id of the query it will point to, before there is any SQL. */
export function reserveReference(
  deps: ReferencesDeps,
  caller: Caller,
  input: Pick<ReferenceContent, 'title'> = {},
): Promise<ReferenceInFull> {
  return insert(deps, caller, { ...input, queryId: newUuid(deps), isOptimistic: true })
}

async function insert(
  deps: ReferencesDeps,
  caller: Caller,
  input: NewReferenceInput,
): Promise<ReferenceInFull> {
  const shortId = await deps.db.transaction().execute((tx) => insertWithin({ ...deps, tx }, caller, input))
  return getReference(deps, caller, shortId)
}

type NewReferenceInput = { queryId: string; isOptimistic: boolean; folderId?: string | null } & ReferenceContent

/** Returns its shortId. */
async function insertWithin(deps: RecordDeps, caller: Caller, input: NewReferenceInput): Promise<string> {
  const shortId = newShortId(deps.random)
  const title = input.title ?? defaultTitle
  const reference: NewReference = {
    id: newId(deps.random, 'ref'),
    organizationId: caller.organizationId,
    shortId,
    title,
    description: input.description ?? null,
    isOptimistic: input.isOptimistic,
    queryId: input.queryId,
    visualization: input.visualization ? checkVisualization(input.visualization) : null,
    parameters: checkDefinitions(input.parameters ?? []),
    folderId: input.folderId ?? null,
    createdBy: caller.userId,
    now: deps.clock.now(),
  }
  const { organizationId, queryId } = reference
  if (!input.isOptimistic && !(await lockQueryAgainstExpiry(deps.tx, { organizationId, queryId }))) throw noSuchQuery(queryId)
  await insertReference(deps.tx, reference)
  const details = { queryId: input.queryId }
  await recordAction(deps, caller, { action: 'reference.created', subject: subjectOf({ shortId, title }), details })
  return shortId
}

export interface ReferenceEdit extends ReferenceContent {
  /** Changed SQL becomes a new query; only this reference moves to it. */
  sql?: string
  /** Where the new query runs; by default in the database of the current query. Required if there is no current query. */
  analyticalDatabaseConfigId?: string
  folderId?: string | null
  freshForSeconds?: number | null
}

export async function editReference(
  deps: ReferencesDeps,
  caller: Caller,
  shortId: string,
  edit: ReferenceEdit,
  basedOn: BasedOn = {},
): Promise<ReferenceInFull> {
  const content: ReferenceChanges = {
    ...(edit.title !== undefined && { title: edit.title }),
    ...(edit.description !== undefined && { description: edit.description }),
    ...(edit.visualization !== undefined && {
      visualization: edit.visualization && checkVisualization(edit.visualization),
    }),
    ...(edit.parameters && { parameters: checkDefinitions(edit.parameters) }),
    ...(edit.folderId !== undefined && { folderId: edit.folderId }),
    ...(edit.freshForSeconds !== undefined && { freshForSeconds: edit.freshForSeconds }),
  }
  return deps.db.transaction().execute(async (tx) => {
    const reference = await lockExisting(tx, caller, shortId, basedOn)
    const changes: ReferenceChanges = { ...content }
    if (edit.folderId) await requireFolder(tx, caller, edit.folderId)
    if (edit.sql !== undefined && (edit.sql !== reference.currentQuery.sql || (await isOtherDatabase(tx, caller, reference, edit)))) {
      const query = await storeQuery({ ...deps, db: tx }, caller, {
        sql: edit.sql,
        isSaved: true,
        analyticalDatabaseConfigId: edit.analyticalDatabaseConfigId,
        sameDatabaseAs: reference.currentQuery.id,
        // The query gets the id that the optimistic reference reserved for it.
        ...(reference.isOptimistic && { id: reference.currentQuery.id }),
      })
      changes.query = { id: query.id, isOptimistic: false }
    }
    return changeReference({ ...deps, tx }, caller, reference, { changes })
  })
}

async function isOtherDatabase(
  tx: Tx,
  { organizationId }: Caller,
  { currentQuery }: ReferenceInFull,
  { analyticalDatabaseConfigId }: ReferenceEdit,
): Promise<boolean> {
  if (analyticalDatabaseConfigId === undefined) return false
  return (await databaseOfQuery(tx, { organizationId, queryId: currentQuery.id })) !== analyticalDatabaseConfigId
}

/** Locks a reference until the transaction ends, before a change. */
export async function lockExisting(tx: Tx, caller: Caller, shortId: string, basedOn: BasedOn = {}): Promise<ReferenceInFull> {
  const { organizationId } = caller
  const reference = shortIdPattern.test(shortId) ? await lockReference(tx, { organizationId, shortId }) : undefined
  if (!reference) return notFound(shortId)
  await requireReferenceEdit(tx, caller, reference.id)
  if (basedOn.version !== undefined) {
    const current = String(await findReferenceVersionNumber(tx, { organizationId, shortId }))
    requireVersion('reference', { current, basedOn })
  }
  return reference
}

/** Costs nothing for callers who may edit every folder. */
export async function requireReferenceEdit(tx: Db | Tx, caller: Caller, referenceId: string): Promise<void> {
  if (caller.access && caller.access.readOnlyFolderIds.length > 0) requireFolderEdit(caller, await readFolderId(tx, referenceId))
}

/** Saves and records a change of a locked reference. */
export async function changeReference(
  deps: RecordDeps,
  caller: Caller,
  reference: ReferenceInFull,
  { changes, restoredNumber }: { changes: ReferenceChanges; restoredNumber?: number },
): Promise<ReferenceInFull> {
  const { tx, clock } = deps
  const { organizationId, userId } = caller
  await requireUnmanaged(tx, caller, { kind: 'query', id: reference.shortId })
  if (changes.query) await refuseReadingItself(tx, { organizationId, reference, queryId: changes.query.id })
  const folderBefore = changes.folderId === undefined ? undefined : await readFolderId(tx, reference.id)
  const restored = restoredNumber !== undefined && { restoredNumber }
  await updateReference(tx, { id: reference.id, changes, changedBy: userId, ...restored, now: clock.now() })
  const after = (await lockReference(tx, { organizationId, shortId: reference.shortId }))!
  await recordChange(deps, caller, {
    action: 'reference.changed',
    subject: subjectOf(reference),
    details: {
      ...restored,
      changes: changesOf(
        { ...auditFields(reference), folderId: folderBefore },
        { ...auditFields(after), folderId: changes.folderId },
      ),
    },
  })
  return after
}

export function deleteReference(
  deps: ReferencesDeps,
  caller: Caller,
  shortId: string,
  basedOn: BasedOn = {},
): Promise<DeletedReference> {
  return deps.db.transaction().execute(async (tx) => {
    if (basedOn.version !== undefined) await lockExisting(tx, caller, shortId, basedOn)
    return deleteReferenceWithin({ ...deps, tx }, caller, shortId)
  })
}

export async function deleteReferenceWithin(deps: RecordDeps, caller: Caller, shortId: string): Promise<DeletedReference> {
  if (!shortIdPattern.test(shortId)) return notFound(shortId)
  const { organizationId, userId } = caller
  if (caller.access) await lockExisting(deps.tx, caller, shortId)
  await requireUnmanaged(deps.tx, caller, { kind: 'query', id: shortId })
  const deleted = await markReferenceDeleted(deps.tx, { organizationId, shortId, deletedBy: userId, now: deps.clock.now() })
  if (!deleted) return notFound(shortId)
  await recordAction(deps, caller, { action: 'reference.deleted', subject: subjectOf(deleted) })
  return deleted
}

const subjectOf = ({ shortId, title }: { shortId: string; title: string }) =>
  ({ type: 'reference', id: shortId, name: title }) as const

/** For the audit log. The SQL is identified by its query, because a query never changes. */
const auditFields = ({ title, description, visualization, parameters, currentQuery, freshForSeconds }: ReferenceInFull) => ({
  title,
  description,
  visualization: visualization ?? null,
  parameters,
  queryId: currentQuery.id,
  freshForSeconds,
})

/** Undoes a deletion within 30 days. A reference that is not deleted stays as it is, so undoing twice is harmless. */
export async function restoreReference(deps: ReferencesDeps, caller: Caller, shortId: string): Promise<ReferenceInFull> {
  await deps.db.transaction().execute((tx) => restoreReferenceWithin({ ...deps, tx }, caller, shortId))
  return getReference(deps, caller, shortId)
}

/** False if there is no such deleted reference. */
export async function restoreReferenceWithin(deps: RecordDeps, caller: Caller, shortId: string): Promise<boolean> {
  if (!shortIdPattern.test(shortId)) return false
  const { tx, clock } = deps
  const deletedAfter = new Date(clock.now().getTime() - deletedItemKeptMs)
  const deleted = await lockDeletedItem(tx, { organizationId: caller.organizationId, kind: 'reference', shortId, deletedAfter })
  if (!deleted) return false
  await requireReferenceEdit(tx, caller, deleted.id)
  await requireUnmanagedFolder(tx, caller, await readFolderId(tx, deleted.id))
  await unmarkReferenceDeleted(tx, deleted.id)
  await recordAction(deps, caller, { action: 'reference.restored', subject: subjectOf({ shortId, title: deleted.title }) })
  return true
}

function notFound(shortId: string): never {
  throw noSuchReference(shortId)
}

export function noSuchReference(shortId: string): Refusal {
  return new Refusal('reference_not_found', `There is no query reference ${JSON.stringify(shortId)}. It may have been deleted.`)
}
