import { type RawBuilder, sql } from 'kysely'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { DeletedReference, ReferenceInFull } from '../../model/reference.ts'
import type { Visualization } from '@querypost/visualization'
import { batchedLookup, type Lookup, lookupAhead } from '../batched-lookup.ts'
import type { Db, Tx } from '../db.ts'
import { fixedStatement } from '../fixed-statement.ts'
import { recordWhoDeleted } from '../items/deleted-items.ts'
import { prepared } from '../prepared.ts'

export interface NewReference {
  id: string
  organizationId: string
  shortId: string
  title: string
  description: string | null
  isOptimistic: boolean
  queryId: string
  visualization: Visualization | null
  parameters: readonly ParameterDefinition[]
  folderId?: string | null
  createdBy: string
  now: Date
}

/** The reference and its first version. */
export async function insertReference(db: Db | Tx, reference: NewReference): Promise<void> {
  const created = db
    .insertInto('query_references')
    .values({
      id: reference.id,
      organization_id: reference.organizationId,
      short_id: reference.shortId,
      title: reference.title,
      description: reference.description,
      is_optimistic: reference.isOptimistic,
      query_id: reference.queryId,
      visualization: reference.visualization && JSON.stringify(reference.visualization),
      parameters: JSON.stringify(reference.parameters),
      folder_id: reference.folderId ?? null,
      created_by: reference.createdBy,
      created_at: reference.now,
      updated_at: reference.now,
      deleted_at: null,
    })
    .returningAll()
  await sql`
    with created as (${created})
    insert into query_reference_versions (${versionColumns}, number, changed_by, changed_at)
    select ${fieldsOfVersion(sql`created`)}, 1, created_by, created_at from created`.execute(db)
}

/** Finds a reference of the organization that is not deleted. */
export interface FindReference {
  (key: { organizationId: string; shortId: string }): Promise<ReferenceInFull | undefined>
  /** Starts to look for a reference before the caller is known. */
  ahead?(shortId: string): FindReference
}

interface FoundReference {
  organizationId: string
  reference: ReferenceInFull
}

/** Finds references by short id; see `batched-lookup.ts`. */
export function makeFindReference({ db }: { db: Db }): FindReference {
  return findReferenceBy(
    batchedLookup<string, FoundReference>({
      async read(shortIds) {
        const { rows } = await referencesByShortId(db, shortIds)
        return new Map(rows.map((row) => [row.short_id, { organizationId: row.organization_id, reference: present(row) }]))
      },
    }),
  )
}

function findReferenceBy(byShortId: Lookup<string, FoundReference>): FindReference {
  const find = async ({ organizationId, shortId }: { organizationId: string; shortId: string }) => {
    const found = await byShortId(shortId)
    return found?.organizationId === organizationId ? found.reference : undefined
  }
  return Object.assign(find, { ahead: (shortId: string) => findReferenceBy(lookupAhead(byShortId, shortId)) })
}

const referencesByShortId = fixedStatement(
  (db, shortIds: string[]) =>
    sql<ReferenceRow>`${prepared} ${activeReferences(db).where(sql<boolean>`short_id = any(${shortIds}::text[])`)}`,
)

/** Also of a deleted reference. */
export async function findReferenceName(
  db: Db | Tx,
  key: { organizationId: string; referenceId: string },
): Promise<{ shortId: string; title: string }> {
  return db
    .selectFrom('query_references')
    .select(['short_id as shortId', 'title'])
    .where('id', '=', key.referenceId)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirstOrThrow()
}

/** Locks the row until the transaction ends, which serializes concurrent changes. */
export async function lockReference(
  tx: Tx,
  key: { organizationId: string; shortId: string },
): Promise<ReferenceInFull | undefined> {
  const row = await activeReferences(tx)
    .where('short_id', '=', key.shortId)
    .where('query_references.organization_id', '=', key.organizationId)
    .forUpdate('query_references')
    .executeTakeFirst()
  return row && present(row)
}

export interface ReferenceChanges {
  title?: string
  description?: string | null
  query?: { id: string; isOptimistic: boolean }
  visualization?: Visualization | null
  parameters?: readonly ParameterDefinition[]
  folderId?: string | null
  freshForSeconds?: number | null
}

/** Null if the reference is in no folder. */
export async function readFolderId(tx: Db | Tx, referenceId: string): Promise<string | null> {
  const row = await tx.selectFrom('query_references').select('folder_id').where('id', '=', referenceId).executeTakeFirst()
  return row?.folder_id ?? null
}

/** `updatedAt` never goes backwards, even if the clock does. If anything has changed, the new state is kept as a version. */
export async function updateReference(
  tx: Tx,
  options: { id: string; changes: ReferenceChanges; changedBy: string; restoredNumber?: number; now: Date },
): Promise<void> {
  const { changes } = options
  await tx
    .updateTable('query_references')
    .set({
      ...(changes.title !== undefined && { title: changes.title }),
      ...(changes.description !== undefined && { description: changes.description }),
      ...(changes.query && { query_id: changes.query.id, is_optimistic: changes.query.isOptimistic }),
      ...(changes.visualization !== undefined && {
        visualization: changes.visualization && JSON.stringify(changes.visualization),
      }),
      ...(changes.parameters && { parameters: JSON.stringify(changes.parameters) }),
      ...(changes.folderId !== undefined && { folder_id: changes.folderId }),
      ...(changes.freshForSeconds !== undefined && { fresh_for_seconds: changes.freshForSeconds }),
      updated_at: sql<Date>`greatest(updated_at, ${options.now})`,
    })
    .where('id', '=', options.id)
    .execute()
  await sql`
    insert into query_reference_versions (${versionColumns}, number, restored_number, changed_by, changed_at)
    select ${fieldsOfVersion(sql`reference`)}, coalesce(newest.number, 0) + 1, ${options.restoredNumber ?? null}::integer,
      ${options.changedBy}, reference.updated_at
    from query_references as reference
    left join lateral (
      select * from query_reference_versions where reference_id = reference.id order by number desc limit 1
    ) as newest on true
    where reference.id = ${options.id}
      and (${fieldsOfVersion(sql`reference`)}) is distinct from (${contentOfVersion(sql`newest`)})`.execute(tx)
}

const contentColumns = ['title', 'description', 'is_optimistic', 'query_id', 'visualization', 'parameters', 'folder_id']

const columnsOf = (table: RawBuilder<unknown>, names: string[]) => sql.join(names.map((name) => sql`${table}.${sql.ref(name)}`))

const versionColumns = sql`reference_id, ${sql.join(contentColumns.map((name) => sql.ref(name)))}`
const fieldsOfVersion = (table: RawBuilder<unknown>) => columnsOf(table, ['id', ...contentColumns])
const contentOfVersion = (table: RawBuilder<unknown>) => columnsOf(table, ['reference_id', ...contentColumns])

/** Part of a transaction. */
export async function markReferenceDeleted(
  tx: Db,
  key: { organizationId: string; shortId: string; deletedBy: string; now: Date },
): Promise<DeletedReference | undefined> {
  const row = await tx
    .updateTable('query_references')
    .set({ deleted_at: key.now })
    .where('organization_id', '=', key.organizationId)
    .where('short_id', '=', key.shortId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'short_id', 'title', 'description', 'query_id', 'created_at', 'updated_at'])
    .executeTakeFirst()
  if (!row) return undefined
  await recordWhoDeleted(tx, { kind: 'reference', itemId: row.id, deletedBy: key.deletedBy })
  return {
    id: row.id,
    shortId: row.short_id,
    title: row.title,
    description: row.description,
    queryId: row.query_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: key.now,
  }
}

/** Undoes a deletion. The reference is restored unchanged, including `updatedAt`, but not into a folder that was deleted since. */
export async function unmarkReferenceDeleted(db: Db | Tx, referenceId: string): Promise<void> {
  await sql`
    update query_references set deleted_at = null,
      folder_id = (select id from folders where id = query_references.folder_id and deleted_at is null for share)
    where id = ${referenceId}`.execute(db)
}

export async function isShortIdInUse(db: Db, shortId: string): Promise<boolean> {
  const row = await db
    .selectFrom('query_references')
    .select('id')
    .where('short_id', '=', shortId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The parameters that a query's first run uses: those of its oldest reference that has any. */
export async function oldestParameters(
  db: Db | Tx,
  key: { organizationId: string; queryId: string },
): Promise<ParameterDefinition[]> {
  const row = await db
    .selectFrom('query_references')
    .select('parameters')
    .where('organization_id', '=', key.organizationId)
    .where('query_id', '=', key.queryId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`jsonb_array_length(parameters) > 0`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.parameters ?? []
}

function activeReferences(db: Db | Tx) {
  return db
    .selectFrom('query_references')
    .leftJoin('queries', 'queries.id', 'query_references.stored_query_id')
    .where('deleted_at', 'is', null)
    .select([
      'query_references.id',
      'query_references.organization_id',
      'short_id',
      'title',
      'description',
      'is_optimistic',
      'query_id',
      'visualization',
      'parameters',
      'fresh_for_seconds',
      'query_references.created_by',
      'query_references.created_at',
      'query_references.updated_at',
      'queries.sql as query_sql',
    ])
}

type ReferenceRow = Awaited<ReturnType<ReturnType<typeof activeReferences>['execute']>>[number]

function present(row: ReferenceRow): ReferenceInFull {
  return {
    id: row.id,
    shortId: row.short_id,
    title: row.title,
    description: row.description,
    isOptimistic: row.is_optimistic,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    currentQuery: { id: row.query_id, sql: row.query_sql ?? '' },
    visualization: row.visualization,
    parameters: row.parameters,
    freshForSeconds: row.fresh_for_seconds,
  }
}
