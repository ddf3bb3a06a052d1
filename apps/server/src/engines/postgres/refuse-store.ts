import { EngineError } from '../engine.ts'
import { ServerRefused } from '../server-options.ts'
import type { StoreIdentity } from '../../model/server-settings.ts'
import type { Wire } from './wire.ts'

/**
 * Throws where a new connection has reached the service's own database, by whatever name, tunnel or pooler, and before anything of a
 * person's is sent. A physical replica of that database counts as the database.
 *
 * The table of migrations is looked for first, by its object id, which costs one round trip and says no for nearly every warehouse. Only
 * where that id is taken by a table of that name are the database and the cluster compared. An answer that is withheld counts as
 * a match. Names are qualified and operators too: a role's search path decides nothing here.
 */
export async function refuseStore(wire: Wire, store: StoreIdentity): Promise<void> {
  if (store.markerOid === null) return
  const marker = await wire.ask(
    `select 1 from pg_catalog.pg_class where oid operator(pg_catalog.=) ${oid(store.markerOid)} ` +
      `and relname operator(pg_catalog.=) 'schema_migrations'::pg_catalog.name`,
  )
  if (marker.length === 0) return
  const database = await askIfAllowed(
    wire,
    'select oid from pg_catalog.pg_database where datname operator(pg_catalog.=) pg_catalog.current_database()',
  )
  if (database !== undefined && database !== store.databaseOid) return
  const cluster = await askIfAllowed(wire, 'select system_identifier from pg_catalog.pg_control_system()')
  if (cluster !== undefined && cluster !== store.systemIdentifier) return
  throw new ServerRefused('This is the service’s own database. Queries can never read it; choose another database.', 'database')
}

const oid = (digits: string) => `'${digits}'::pg_catalog.oid`

/** Undefined where the server does not say. */
async function askIfAllowed(wire: Wire, sql: string): Promise<string | undefined> {
  try {
    const [row] = await wire.ask(sql)
    return row?.[0]
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'failed') return undefined
    throw error
  }
}
