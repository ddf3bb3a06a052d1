import { constants, copyFile, rename, rm } from 'node:fs/promises'
import { databaseFile } from '../domain/databases/engines.ts'
import { getImportableDatabase } from '../domain/databases/get-database-config.ts'
import { pendingSuffix, stateOf, syncToDisk } from '../domain/databases/pending-imports.ts'
import { replaceDatabaseFile } from '../domain/databases/replace-database-file.ts'
import { dayOf } from '../domain/parameters/date-range.ts'
import { newId } from '../domain/ids.ts'
import { Refusal } from '../domain/refusal.ts'
import type { DatabaseServices } from '../domain/services.ts'
import { readShopsEndingBefore, removeSampleShop, type SampleShop, setLastDay } from '../store/databases/sample-shops-table.ts'
import { repeatTask, type RepeatedTask } from '../work/repeat.ts'
import { extendSampleShop, SampleShopReplaced } from './shop.ts'

/**
 * Extends the sample shops every day, so that they always end today.
 *
 * A shop is extended like a table is imported: in a copy that replaces the file in one step, recorded in the same transaction as the new
 * last day. Wherever the process dies, the shop has either day. If two processes extend it at once, the second finds the file replaced
 * and discards its copy. A service that was off for a while adds all missing days at once.
 */
export type ExtendDeps = Pick<DatabaseServices, 'db' | 'clock' | 'random' | 'log' | 'dataDirectory' | 'importTurns'>

const everyMs = 10 * 60_000

export function makeSampleExtender(deps: ExtendDeps): RepeatedTask {
  let stopping = new AbortController()
  const repeated = repeatTask({ ...deps, what: 'extend the sample shops', everyMs, act: () => extendSamples(deps, stopping.signal) })
  return {
    start() {
      stopping = new AbortController()
      repeated.start()
    },
    look: () => repeated.look(),
    stop() {
      stopping.abort()
      return repeated.stop()
    },
  }
}

export async function extendSamples(deps: ExtendDeps, signal: AbortSignal): Promise<void> {
  const today = dayOf(deps.clock.now())
  for (const shop of await readShopsEndingBefore(deps.db, today)) {
    if (signal.aborted) return
    const ids = { organizationId: shop.organizationId, databaseId: shop.databaseId }
    try {
      await extendShop(deps, { ...shop, lastDay: today }, signal)
      deps.log.info({ ...ids, lastDay: today }, 'sample shop extended')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SampleShopReplaced) {
        await removeSampleShop(deps.db, shop)
        deps.log.info(ids, 'sample shop is no longer extended: its tables were replaced')
      } else if (error instanceof Refusal) {
        // Another process was first, or something else has the file open.
        deps.log.info({ ...ids, reason: error.message }, 'sample shop not extended; retrying later')
      } else {
        deps.log.error({ err: error, ...ids }, 'extending a sample shop failed; retrying later')
      }
    }
  }
}

async function extendShop(deps: ExtendDeps, shop: SampleShop, signal: AbortSignal): Promise<void> {
  const database = await getImportableDatabase(deps, shop, shop.databaseId)
  const file = databaseFile({ ...deps, ...database })
  await deps.importTurns.run(file, () => replaceWithExtended(), signal)

  async function replaceWithExtended() {
    const copy = `${file}.${newId(deps.random, 'db')}.part`
    try {
      const before = await stateOf(file)
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
      await extendSampleShop(copy, shop)
      await syncToDisk(copy)
      const ready = `${file}.${newId(deps.random, 'db')}${pendingSuffix}`
      await rename(copy, ready)
      await replaceDatabaseFile(deps, { database, file, ready, before, signal, record: (tx) => setLastDay(tx, shop) })
    } finally {
      await Promise.all([copy, `${copy}.wal`].map((each) => rm(each, { force: true })))
    }
  }
}
