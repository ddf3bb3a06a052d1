import { secretHash } from '@querypost/server/background-work'
import type { World } from './world.ts'

/** An organization with lists of a known length. */
export interface FilledOrganization {
  id: string
  key: string
  size: number
  /** The key of the item in the middle of either list. */
  middle: { createdAt: string; referenceId: string; queryId: string }
}

/**
 * Fills an organization with references, each to its own query with one completed run. Writes directly into the tables, because a
 * million would take hours through the API.
 */
export async function fillOrganization(world: World, options: { name: string; size: number }): Promise<FilledOrganization> {
  const { name, size } = options
  const id = `org_${name}`
  const key = `qp_live_${name.padEnd(40, '0')}`
  const [user, database] = [`user_${name}`, `db_${name}`]
  await world.sql(`insert into organizations values ($1, $2, now())`, [id, name])
  await world.sql(`insert into users values ($1, $2, $3, 'none', now())`, [user, `${name}@bench.test`, name])
  await world.sql(`insert into memberships values ($1, $2, 'admin', now())`, [id, user])
  await world.sql(
    `insert into api_keys (id, organization_id, user_id, name, prefix, key_hash, created_at)
     values ($1, $2, $3, 'Bench', 'qp_live_', $4, now())`,
    [`key_${name}`, id, user, secretHash(key)],
  )
  await world.sql(
    `insert into analytical_database_configs values ($1, $2, 'None', 'duckdb', '{"file": "none.duckdb"}', $3, now())`,
    [database, id, user],
  )
  // The rows are valid by construction. Checking three million foreign keys would double the time.
  await world.sql(`set session_replication_role = replica`)
  await world.sql(
    `insert into queries (id, organization_id, sql, analytical_database_config_id, created_by, created_at, updated_at)
     select ${queryId}, $1, 'select ' || i || ' as answer, count(*) from orders where customer_id = ' || i, $2, $3,
            ${createdAt}, ${createdAt}
     from generate_series(1, $4::bigint) as numbers (i)`,
    [id, database, user, size],
  )
  await world.sql(
    `insert into query_references (id, organization_id, short_id, title, description, is_optimistic, query_id,
       created_by, created_at, updated_at)
     select ${referenceId}, $1, substr($1, 5, 1) || lpad(i::text, 9, '0'), 'Orders of customer ' || i,
            'How many there are', false, ${queryId}, $2, ${createdAt}, ${createdAt}
     from generate_series(1, $3::bigint) as numbers (i)`,
    [id, user, size],
  )
  await world.sql(
    `insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types,
       rendered_sql, run_at, started_at, completed_at, row_count, result_removed_at, started_xid, ended_xid)
     select 'run_' || substr(md5($1 || i), 1, 22), $1, ${queryId}, 1, 'completed', $2, '{}', '{}',
            'select ' || i, ${createdAt}, ${createdAt}, ${createdAt}, 1, ${createdAt}, pg_current_xact_id(),
            pg_current_xact_id()
     from generate_series(1, $3::bigint) as numbers (i)`,
    [id, user, size],
  )
  await world.sql(`set session_replication_role = origin`)
  for (const table of ['queries', 'query_references', 'runs']) await world.sql(`vacuum (analyze) ${table}`)

  const { rows } = await world.sql(
    `select to_char(${createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
            ${referenceId} as "referenceId", ${queryId} as "queryId"
     from (select $1::text as organization, $2::bigint as i) as middle`.replaceAll('$1 ||', 'organization ||'),
    [id, Math.ceil(size / 2)],
  )
  return { id, key, size, middle: rows[0] as FilledOrganization['middle'] }
}

/** Item number `i` of organization `$1`. Ids have the service's format: a query's begins with its time. */
const createdAt = `(timestamptz '2026-01-01Z' + i * interval '1.000037 seconds')`
const queryId = `(lpad(to_hex(1767225600000 + i * 1000), 12, '0') || '7' || substr(md5($1 || i), 1, 19))::uuid`
const referenceId = `('ref_' || substr(md5('reference' || $1 || i), 1, 22))`
