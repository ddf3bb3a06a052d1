import path from 'node:path'
import { finishRestore } from '../backup/put-in-place.ts'
import type { Clock } from '../ports/clock.ts'
import { openLog } from '../ports/log.ts'
import type { Config } from '../settings/config.ts'
import { lockDataDirectory, prepareDataDirectory } from '../settings/data-directory.ts'
import { type Db, openEmbedded, openPostgres } from '../store/db.ts'
import { type Migrated, migrate } from '../store/migrate.ts'
import { openWithRetries } from '../store/open-with-retries.ts'

export interface StoreUser {
  config: Config
  clock: Clock
  processId: number
}

/**
 * Opens the store for a command, migrates it and closes it again. On the embedded store the service must be stopped first, because
 * its folder has a single owner.
 */
export async function withStore<Done>({ config, clock, processId }: StoreUser, act: (store: { db: Db } & Migrated) => Promise<Done>): Promise<Done> {
  const { dataDirectory, databaseUrl: url, databaseDirectUrl: directUrl } = config
  const log = openLog({ level: 'error' })
  await prepareDataDirectory(dataDirectory)
  await finishRestore(dataDirectory, processId)
  const unlock = url ? async () => {} : await lockDataDirectory(dataDirectory, processId)
  try {
    const store = url
      ? await openWithRetries({ url, open: () => openPostgres({ url, directUrl, clock, log }), clock, log })
      : await openEmbedded({ folder: path.join(dataDirectory, 'store'), onFirstStart: () => {} })
    try {
      return await act({ db: store.db, ...(await migrate({ db: store.directDb, clock, log })) })
    } finally {
      await store.close()
    }
  } finally {
    await unlock()
  }
}
