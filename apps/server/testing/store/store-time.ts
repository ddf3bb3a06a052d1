import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * Makes the store use a test's clock: sets the time on a connection before a statement if it has changed.
 */
export function storeTimeOf(clock: Pick<Clock, 'now'>): (connection: DatabaseConnection) => Promise<void> {
  const lastSet = new WeakMap<DatabaseConnection, number>()
  return async (connection) => {
    const now = clock.now()
    if (lastSet.get(connection) === now.getTime()) return
    lastSet.set(connection, now.getTime())
    await connection.executeQuery(CompiledQuery.raw(`set querypost.now = '${now.toISOString()}'`))
  }
}
