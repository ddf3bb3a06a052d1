import type { Db } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../people/caller.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase } from './database.ts'

export async function wantDatabase(deps: { db: Db }, caller: Caller, configId: string): Promise<AnalyticalDatabase> {
  const { organizationId } = caller
  const database = isId(configId) ? await findDatabase(deps.db, { organizationId, configId }) : undefined
  if (!database) throw noDatabase(configId)
  return database
}

export const noDatabase = (configId: string) =>
  new Refusal('database_not_found', `There is no database ${JSON.stringify(configId)}.`)

export const nameTaken = (name: string) =>
  new Refusal('invalid_request', `Your organization already has a database named ${JSON.stringify(name)}.`, [
    { path: '/name', message: 'is taken; choose another' },
  ])
