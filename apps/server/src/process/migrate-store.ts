import type { Migrated } from '../store/migrate.ts'
import { type StoreUser, withStore } from './with-store.ts'

/** Migrates the store without starting the service, so that a deployment can do it in a step of its own. */
export const migrateStore = (user: StoreUser): Promise<string> => withStore(user, async (migrated) => describeMigrated(migrated))

function describeMigrated({ applied, unknown }: Migrated): string {
  const count = `${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`
  const done = applied.length > 0 ? `Applied ${count}, up to ${applied.at(-1)}.` : 'The schema is up to date.'
  return unknown.length > 0 ? `${done} It is newer than this version, which ignores ${unknown.join(', ')}.` : done
}
