import { Type } from 'typebox'
import { listStoredTables, type StorageServices } from '../../../domain/list-stored-tables.ts'
import { callerOf } from '../../authenticate.ts'
import { NullableNumber, wholeList } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const StoredTable = Type.Object(
  {
    table: Type.String(),
    // With indexes.
    sizeBytes: Type.Number(),
    // An estimate; null until there is one.
    rowCount: NullableNumber,
    kept: Type.String(),
  },
  { title: 'StoredTable' },
)

/** The tables of the store, for the admins of the only organization. */
export function storageRoutes(api: Api, services: StorageServices): void {
  api.get('/app/api/storage', { schema: { response: { 200: wholeList(StoredTable) } } }, async (request) => ({
    items: await listStoredTables(services, callerOf(request)),
  }))
}
