import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Clock } from '../ports/clock.ts'

/**
 * Makes the store's time that of a test's clock: before a statement, each connection is told what time it is, if that has changed.
 */
export function storeTimeOf(clock: Pick<Clock, 'now'>): (connection: DatabaseConnection) => Promise<void> {
  const told = new WeakMap<DatabaseConnection, number>()
  return async (connection) => {
    // Again, if the clock has gone on since.
    for (let now = clock.now(); told.get(connection) !== now.getTime(); now = clock.now()) {
      told.set(connection, now.getTime())
      await connection.executeQuery(CompiledQuery.raw(`set querypost.now = '${now.toISOString()}'`))
    }
  }
}
