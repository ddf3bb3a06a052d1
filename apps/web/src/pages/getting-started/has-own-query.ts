import type { Database } from '../../api/databases.ts'
import type { FoundReference } from '../../api/references.ts'

/**
 * Whether somebody has saved a query. Those of the sample do not count: they are dated before their database, so that they look
 * as if they had been there already.
 */
export function hasOwnQuery(
  references: Pick<FoundReference, 'createdAt' | 'analyticalDatabaseConfigId'>[],
  databases: Pick<Database, 'id' | 'createdAt'>[],
): boolean {
  const createdAt = new Map(databases.map((database) => [database.id, database.createdAt]))
  return references.some(({ createdAt: savedAt, analyticalDatabaseConfigId: databaseId }) => {
    const databaseCreatedAt = databaseId === null ? undefined : createdAt.get(databaseId)
    return databaseCreatedAt === undefined || savedAt > databaseCreatedAt
  })
}
