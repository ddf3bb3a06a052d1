import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db.ts'

/**
 * The space that kept results take is added up when it changes, so that reading it costs the same for any number of results
 * (docs/decisions/0063-space-of-kept-results.md).
 *
 * - A chain counts for the reference with its newest result (`archive_chains`), so that every byte counts once.
 * - A reference takes the space of the chains that count for it (`reference_space`).
 * - An organization takes the space of all its chains (`organization_space`).
 *
 * A transaction that changes results or objects calls `countSpace` once, as its last step, with everything that it changed. Rows are locked
 * in this order: chains, references, organizations, each by id. So no two transactions wait for each other.
 */
export interface ChangedSpace {
  /** The first objects of the chains. */
  chainIds: string[]
  /** References that got a result. They are listed even if none of their chains counts for them. */
  references?: { id: string; organizationId: string }[]
}

/** Computes the chains from their objects and results, and adds the differences to the sums. */
export async function countSpace(tx: Tx, { chainIds, references = [] }: ChangedSpace): Promise<void> {
  if (chainIds.length === 0) return
  // Locks the chains. The next statement sees everything that was committed before.
  await sql`
    insert into archive_chains (key_id, organization_id)
    select id, organization_id from archive_objects where id = any(${chainIds}::text[]) order by id
    on conflict (key_id) do update set stored_bytes = 0 where false`.execute(tx)
  await sql`
    with chain as materialized (${chainsNow(chainIds)}),
    changed as (
      update archive_chains as counted set reference_id = chain.reference_id, stored_bytes = chain.bytes
      from chain where counted.key_id = chain.key_id and chain.bytes > 0 and ${isMiscounted}),
    emptied as (
      delete from archive_chains as counted using chain where counted.key_id = chain.key_id and chain.bytes = 0),
    difference as (
      select former_reference_id as reference_id, organization_id, -former_bytes as bytes, false as has_new_result from chain
      union all select reference_id, organization_id, bytes, false from chain
      union all
      select id, organization_id, 0, true from jsonb_to_recordset(${JSON.stringify(toColumns(references))}::jsonb)
        as result (id text, organization_id text)),
    counted_references as (
      insert into reference_space (reference_id, organization_id, stored_bytes)
      select reference_id, organization_id, sum(bytes) from difference where reference_id is not null
      group by reference_id, organization_id having sum(bytes) <> 0 or bool_or(has_new_result) order by reference_id
      on conflict (reference_id) do update set stored_bytes = reference_space.stored_bytes + excluded.stored_bytes
        where excluded.stored_bytes <> 0
      returning reference_id)
    insert into organization_space (organization_id, stored_bytes)
    select organization_id, sum(bytes - former_bytes)
    -- References come first: counting them is the only way to know how many there were.
    from chain cross join (select count(*) from counted_references) as counted
    where organization_id is not null
    group by organization_id having sum(bytes - former_bytes) <> 0 order by organization_id
    on conflict (organization_id) do update set stored_bytes = organization_space.stored_bytes + excluded.stored_bytes`.execute(tx)
}

/** Chains as they were counted last, and as they are. */
const chainsNow = (chainIds: string[]): RawBuilder<unknown> => sql`
  select wanted.key_id, counted.organization_id, counted.reference_id as former_reference_id,
    coalesce(counted.stored_bytes, 0) as former_bytes, size.bytes, newest.reference_id
  from unnest(${chainIds}::text[]) as wanted (key_id)
  left join archive_chains as counted on counted.key_id = wanted.key_id
  cross join lateral (
    select coalesce(sum(stored_bytes), 0) as bytes from archive_objects
    where key_id = wanted.key_id and removed_at is null) as size
  left join lateral (
    select result.reference_id
    from archive_objects as object
    cross join lateral (
      select reference_id, at from archived_results
      where object_id = object.id and removed_at is null
      order by at desc, reference_id limit 1) as result
    where object.key_id = wanted.key_id and object.removed_at is null
    order by result.at desc, result.reference_id limit 1) as newest on true`

const isMiscounted = sql`(chain.former_reference_id, chain.former_bytes) is distinct from (chain.reference_id, chain.bytes)`

/**
 * Counts those chains again whose counts are wrong: processes of the version before did not count, and results go with their reference
 * without being counted. `chainIds` are all chains of the range; others that were counted in it are gone.
 */
export async function recountSpace(tx: Tx, range: { chainIds: string[]; afterId: string; lastId: string | null }): Promise<void> {
  const { rows: counted } = await sql<{ id: string }>`
    select key_id as id from archive_chains
    where key_id > ${range.afterId} ${range.lastId === null ? sql`` : sql`and key_id <= ${range.lastId}`}`.execute(tx)
  const chainIds = [...new Set([...range.chainIds, ...counted.map(({ id }) => id)])]
  const { rows } = await sql<{ id: string }>`
    with chain as (${chainsNow(chainIds)})
    select key_id as id from chain where ${isMiscounted}`.execute(tx)
  await countSpace(tx, { chainIds: rows.map(({ id }) => id) })
}

/** The chains of objects. */
export async function findChains(tx: Tx, objectIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct key_id as id from archive_objects where id = any(${objectIds}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Removes references that have no results any more from those that take space. */
export async function forgetReferencesWithoutSpace(tx: Tx, { organizationIds }: { organizationIds: string[] }): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select reference_id as id from reference_space as space
    where organization_id = any(${organizationIds}::text[]) and stored_bytes = 0 and not ${hasResults}
    for update skip locked`.execute(tx)
  if (rows.length === 0) return
  // One of them may have got a result before it was locked.
  await sql`
    delete from reference_space as space
    where reference_id = any(${rows.map(({ id }) => id)}::text[]) and stored_bytes = 0 and not ${hasResults}`.execute(tx)
}

export const hasResults = sql`exists (
  select from archived_results as result where result.reference_id = space.reference_id and result.removed_at is null)`

const toColumns = (references: NonNullable<ChangedSpace['references']>) =>
  references.map(({ id, organizationId }) => ({ id, organization_id: organizationId }))
