import { sql } from 'kysely'
import type { ReferencePart, ReferenceVersion, ReferenceVersionInFull } from '../../model/reference.ts'
import type { Db, Tx } from '../db.ts'

interface Row extends Omit<ReferenceVersion, 'changedBy'> {
  changedBy: string | null
  changedByName: string | null
}

/** The versions of a reference before a number, newest first. */
export async function listReferenceVersions(
  db: Db,
  key: { referenceId: string; beforeNumber?: number; count: number },
): Promise<ReferenceVersion[]> {
  const { rows } = await sql<Row>`
    select ${fields}
    ${source} where version.reference_id = ${key.referenceId}
      ${key.beforeNumber === undefined ? sql`` : sql`and version.number < ${key.beforeNumber}`}
    order by version.number desc
    limit ${key.count}`.execute(db)
  return rows.map(present)
}

export async function findReferenceVersion(
  db: Db | Tx,
  key: { referenceId: string; number: number },
): Promise<ReferenceVersionInFull | undefined> {
  type FullRow = Row & Omit<ReferenceVersionInFull, keyof ReferenceVersion>
  const { rows } = await sql<FullRow>`
    select ${fields}, version.description, version.is_optimistic as "isOptimistic", version.query_id as "queryId",
      case when version.is_optimistic then '' else coalesce(query.sql, '') end as sql,
      query.analytical_database_config_id as "analyticalDatabaseConfigId", version.visualization, version.parameters,
      version.folder_id as "folderId"
    ${source}
    left join queries as query on query.id = version.query_id and not version.is_optimistic
    where version.reference_id = ${key.referenceId} and version.number = ${key.number}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  const { changedByName: _, ...version } = row
  return { ...version, ...present(row) }
}

/** The number of its newest version. Undefined if there is no such reference. */
export async function findReferenceVersionNumber(
  db: Db | Tx,
  key: { organizationId: string; shortId: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number | null }>`
    select (select max(number) from query_reference_versions where reference_id = reference.id) as number
    from query_references as reference
    where reference.short_id = ${key.shortId} and reference.organization_id = ${key.organizationId} and reference.deleted_at is null`.execute(db)
  return rows[0] && (rows[0].number ?? 0)
}

/** The version that was current at a time, or the oldest one if all are newer. */
export async function findVersionNumberAt(db: Db, key: { referenceId: string; at: Date }): Promise<number | undefined> {
  const { rows } = await sql<{ number: number | null }>`
    select coalesce(max(number) filter (where changed_at <= ${key.at}), min(number)) as number
    from query_reference_versions where reference_id = ${key.referenceId}`.execute(db)
  return rows[0]!.number ?? undefined
}

const present = ({ changedBy, changedByName, ...version }: Row): ReferenceVersion => ({
  number: version.number,
  title: version.title,
  changedParts: version.changedParts,
  restoredNumber: version.restoredNumber,
  changedAt: version.changedAt,
  isCurrent: version.isCurrent,
  changedBy: changedBy === null ? null : { id: changedBy, name: changedByName! },
})

/** The columns of each part, compared with the version before. */
const columnOfPart: Record<ReferencePart, string> = {
  title: 'title',
  description: 'description',
  sql: 'query_id',
  visualization: 'visualization',
  parameters: 'parameters',
  folder: 'folder_id',
}

const changedParts = sql.join(
  Object.entries(columnOfPart).map(([part, column]) => {
    const name = sql.ref(column)
    return sql`case when version.${name} is distinct from earlier.${name} then ${sql.lit(part)} end`
  }),
)

const fields = sql`version.number, version.title, version.restored_number as "restoredNumber", version.changed_at as "changedAt",
  version.changed_by as "changedBy", users.name as "changedByName",
  case when earlier.number is null then '{}'::text[] else array_remove(array[${changedParts}], null) end as "changedParts",
  not exists (
    select from query_reference_versions as later
    where later.reference_id = version.reference_id and later.number > version.number) as "isCurrent"`
const source = sql`from query_reference_versions as version
  left join query_reference_versions as earlier on earlier.reference_id = version.reference_id and earlier.number = version.number - 1
  left join users on users.id = version.changed_by`
