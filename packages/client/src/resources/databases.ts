import type { AnalyticalDatabaseConfig, Query } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** Databases that queries run against, and SQL to run in them. */
export interface Databases {
  /** All of them, newest first. */
  list(options?: ListOptions): List<AnalyticalDatabaseConfig>
  get(databaseId: string, options?: CallOptions): Promise<AnalyticalDatabaseConfig>
  /** Stores SQL. Its text never changes. */
  createQuery(databaseId: string, input: Input<'databases.createQuery'>['body'], options?: WriteOptions): Promise<Query>
}

export function makeDatabases(transport: Transport): Databases {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'databases.list', { query }, options) }),
    get: (id, options) => callOperation(transport, 'databases.get', { params: { id } }, options),
    createQuery: (id, body, options) => callOperation(transport, 'databases.createQuery', { params: { id }, body }, options),
  }
}
