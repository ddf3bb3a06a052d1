import { makeAddressesOf } from '../domain/databases/database-addresses.ts'
import type { AnalyticalDatabase, TestOutcome } from '../domain/databases/database.ts'
import { makeEngines } from '../domain/databases/engines.ts'
import { serverEngineOpeners } from '../domain/databases/server-engine-openers.ts'
import { tryDatabase } from '../domain/databases/try-database.ts'
import { makeSealer } from '../domain/sealing.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { makeSystemNames } from '../ports/network/system-names.ts'
import { secureRandom } from '../ports/random.ts'
import type { Db } from '../store/db.ts'
import { listDatabases } from '../store/databases/databases.ts'

export interface TriedDatabase {
  name: string
  engine: AnalyticalDatabase['engine']
  outcome: TestOutcome
}

/** Tries every configured database of every organization, at once, as an admin does on its page. Nothing is stored. */
export async function tryDatabases(options: {
  db: Db
  config: Pick<Config, 'dataDirectory' | 'databaseAllowedNetworks'>
  secretKey: Uint8Array
  /** Not that of the service, which may belong to another user. */
  temporaryDirectory: string
  clock: Clock
  log: Log
}): Promise<TriedDatabase[]> {
  const { db, config, secretKey, temporaryDirectory, clock, log } = options
  const organizations = await db.selectFrom('organizations').select('id').orderBy('id').execute()
  const databases = (await Promise.all(organizations.map(({ id }) => listDatabases(db, id)))).flat()
  const names = makeSystemNames()
  const engines = makeEngines({
    clock,
    log,
    sealer: makeSealer({ secretKey, random: secureRandom }),
    dataDirectory: config.dataDirectory,
    temporaryDirectory,
    addressesOf: makeAddressesOf({ names, rules: { allowedNetworks: config.databaseAllowedNetworks } }),
    openers: serverEngineOpeners,
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
