import { newId, newUuid } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Random } from '../../src/ports/random.ts'
import { insertDatabase } from '../../src/store/databases/databases-table.ts'
import type { Db } from '../../src/store/db.ts'
import { insertQuery } from '../../src/store/queries/queries-table.ts'
import { testMembers } from '../people/members.ts'

/** A new organization with one person and one database, for tests of statements that need queries. */
export interface QueryWorld {
  organizationId: string
  userId: string
  /** Resolves with its id. */
  addQuery(sql: string): Promise<string>
}

export async function makeQueryWorld({ db, clock, random }: { db: Db; clock: Clock; random: Random }): Promise<QueryWorld> {
  const people = testMembers({ db, clock, random })
  const { organizationId, userId } = await people.member(await people.organization())
  const databaseId = newId(random, 'db')
  const database = { id: databaseId, name: 'x', engine: 'duckdb', settings: { file: 'x.duckdb' } } as const
  await insertDatabase(db, { ...database, organizationId, createdBy: userId, createdAt: clock.now() })
  return {
    organizationId,
    userId,
    async addQuery(sql) {
      const id = newUuid({ clock, random })
      await insertQuery(db, { id, sql, createdBy: userId, organizationId, analyticalDatabaseConfigId: databaseId, now: clock.now() })
      return id
    },
  }
}
