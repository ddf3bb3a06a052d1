import type { AnalyticalDatabase, TestOutcome } from '../model/database.ts'
import { makeEngines } from '../domain/databases/engines.ts'
import { guardConnections } from '../domain/databases/guard-connections.ts'
import { fileEngineOpeners, serverEngineOpeners } from '../engines/registry/openers.ts'
import { tryDatabase } from '../domain/databases/try-database.ts'
import { makeSealer } from '../domain/sealing.ts'
import type { Config } from '../settings/config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { makeSystemNames } from '../ports/network/system-names.ts'
import { readOwnAddresses } from '../ports/network/own-addresses.ts'
import { secureRandom } from '../ports/random.ts'
import type { Store } from '../store/db.ts'
import { listDatabases } from '../store/databases/databases-table.ts'
import { listOrganizationIds } from '../store/people/organizations-table.ts'

export interface CheckedDatabase {
  name: string
  engine: AnalyticalDatabase['engine']
  outcome: TestOutcome
}

/** Tests the connection to every configured database of every organization in parallel. Stores nothing. */
export async function checkDatabases(options: {
  store: Pick<Store, 'db' | 'server'>
  config: Pick<Config, 'dataDirectory' | 'databaseAllowedNetworks'>
  secretKey: Uint8Array
  /** Not the service's own, which may belong to another user. */
  temporaryDirectory: string
  clock: Clock
  log: Log
}): Promise<CheckedDatabase[]> {
  const { store, config, secretKey, temporaryDirectory, clock, log } = options
  const { db, server } = store
  const organizationIds = await listOrganizationIds(db)
  const databases = (await Promise.all(organizationIds.map((id) => listDatabases(db, id)))).flat()
  const names = makeSystemNames()
  const engines = makeEngines({
    clock,
    log,
    sealer: makeSealer({ secretKey, random: secureRandom }),
    dataDirectory: config.dataDirectory,
    temporaryDirectory,
    ...guardConnections({ db, server, clock, names, readOwnAddresses, rules: { allowedNetworks: config.databaseAllowedNetworks } }),
    openers: { onFile: fileEngineOpeners, onServer: serverEngineOpeners },
  })
  try {
    return await Promise.all(
      databases.map(async (database) => {
        const { outcome } = await tryDatabase({ clock, engines }, database)
        return { name: database.name, engine: database.engine, outcome }
      }),
    )
  } finally {
    await engines.close()
    names.close()
  }
}
