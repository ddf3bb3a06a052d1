import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * Makes the store's time that of a test's clock: before a statement, each connection is told what time it is, if that has changed.
 */
export function storeTimeOf(clock: Pick<Clock, 'now'>): (connection: DatabaseConnection) => Promise<void> {
  const told = new WeakMap<DatabaseConnection, number>()
  return async (connection) => {
    const now = clock.now()
    if (told.get(connection) === now.getTime()) return
    told.set(connection, now.getTime())
    await connection.executeQuery(CompiledQuery.raw(`set querypost.now = '${now.toISOString()}'`))
  }
}
