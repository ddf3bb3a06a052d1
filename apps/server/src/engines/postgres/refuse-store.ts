import { EngineError } from '../engine.ts'
import { ServerRefused } from '../server-options.ts'
import type { StoreIdentity } from '../../model/server-settings.ts'
import type { Wire } from './wire.ts'

/**
 * Throws if a new connection has reached the service's own database, by whatever name, tunnel or pooler. Runs before any user SQL is
 * sent. A physical replica of that database counts as the database.
 *
 * It first looks for the migrations table by its oid, which takes one round trip and rules out nearly every warehouse. Only if that oid
 * belongs to a table of that name are the database and the cluster compared. An answer that the server withholds counts as a match.
 * Names and operators are schema-qualified, so that a role's search path has no influence.
 */
export async function refuseStore(wire: Wire, store: StoreIdentity): Promise<void> {
  if (store.markerOid === null) return
  const marker = await wire.queryRows(
    `select 1 from pg_catalog.pg_class where oid operator(pg_catalog.=) ${oid(store.markerOid)} ` +
      `and relname operator(pg_catalog.=) 'schema_migrations'::pg_catalog.name`,
  )
  if (marker.length === 0) return
  const database = await queryIfAllowed(
    wire,
    'select oid from pg_catalog.pg_database where datname operator(pg_catalog.=) pg_catalog.current_database()',
  )
  if (database !== undefined && database !== store.databaseOid) return
  const cluster = await queryIfAllowed(wire, 'select system_identifier from pg_catalog.pg_control_system()')
  if (cluster !== undefined && cluster !== store.systemIdentifier) return
  throw new ServerRefused('This is the service’s own database. Queries can never read it; choose another database.', 'database')
}

const oid = (digits: string) => `'${digits}'::pg_catalog.oid`

/** Undefined if the server denies the answer. */
async function queryIfAllowed(wire: Wire, sql: string): Promise<string | undefined> {
  try {
    const [row] = await wire.queryRows(sql)
    return row?.[0]
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'failed') return undefined
    throw error
  }
}
