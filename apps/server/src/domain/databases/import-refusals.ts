import { ImportFault } from '../../engines/duckdb/import/import-fault.ts'
import type { Table } from '../../engines/engine.ts'
import { Refusal } from '../refusal.ts'

/** A name that needs no quotes, unless it is an SQL keyword: people type it in every query. */
export function checkTableName(name: string): void {
  if (/^[\p{L}_][\p{L}\p{N}_]{0,62}$/u.test(name)) return
  const message = 'must be letters, digits and underscores, at most 63, and not begin with a digit'
  throw new Refusal('invalid_request', `${JSON.stringify(name)} cannot be the name of a table: it ${message}.`, [
    { path: 'name', message },
  ])
}

export function refuseIfExists(name: string, tables: Table[]): void {
  const isThere = tables.some((table) => table.schema === 'main' && table.name.toLowerCase() === name.toLowerCase())
  if (isThere) throw tableExists(name, `A table or view named ${name} already exists.`)
}

const tableExists = (name: string, reason: string) =>
  new Refusal('table_exists', `${reason} Choose another name, or replace the table.`, [
    { path: 'name', message: `${name} already exists` },
  ])

export const changedConcurrently = () =>
  new Refusal(
    'database_in_use',
    'The database was changed during the import. Nothing was imported; upload the file again.',
  )

export const openForWritingElsewhere = () =>
  new Refusal(
    'database_in_use',
    'Another program has the database file open for writing. Close it there, then upload the file again.',
  )

export const tookTooLong = (timeMs: number) =>
  new Refusal(
    'body_too_large',
    `Reading the file took longer than ${Math.round(timeMs / 1000)} seconds. Nothing was imported; upload less at once.`,
  )

/** Converts an error into a message for the person who uploaded the file. Other errors are internal and are returned unchanged. */
export function asRefusal(error: unknown, context: { table: string; wasCanceled: boolean }): unknown {
  if (context.wasCanceled) return new Refusal('invalid_request', 'The upload was canceled. Nothing was imported.')
  if (!(error instanceof ImportFault)) return error
  switch (error.kind) {
    case 'file':
      return new Refusal('file_unreadable', withStop(error.message))
    case 'mismatch':
      return new Refusal('file_mismatch', withStop(error.message))
    case 'exists':
      return tableExists(context.table, withStop(error.message))
    case 'target':
      return new Refusal('database_unreachable', error.message)
    case 'too_large':
      return new Refusal('body_too_large', `${withStop(error.message)} Nothing was imported; upload less at once.`)
    case 'stopped':
      return error
  }
}

const withStop = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`)
