import { ImportFault } from '../../engines/duckdb/import/import-fault.ts'
import type { Table } from '../../engines/engine.ts'
import { Refusal } from '../refusal.ts'

/** A name that needs no quotes, unless it is a word of SQL: people type it in every query. */
export function checkTableName(name: string): void {
  if (/^[\p{L}_][\p{L}\p{N}_]{0,62}$/u.test(name)) return
  const message = 'must be letters, digits and underscores, at most 63, and not begin with a digit'
  throw new Refusal('invalid_request', `${JSON.stringify(name)} cannot be the name of a table: it ${message}.`, [
    { path: 'name', message },
  ])
}

export function refuseIfExists(name: string, tables: Table[]): void {
  const isThere = tables.some((table) => table.schema === 'main' && table.name.toLowerCase() === name.toLowerCase())
  if (isThere) throw tableExists(name, `There is a table or view named ${name}.`)
}

const tableExists = (name: string, reason: string) =>
  new Refusal('table_exists', `${reason} Choose another name, or have the table replaced.`, [
    { path: 'name', message: `${name} exists already` },
  ])

export const changedMeanwhile = () =>
  new Refusal(
    'database_in_use',
    'The database was changed while the file was read. Nothing was imported; send the file again.',
  )

export const writtenByOthers = () =>
  new Refusal(
    'database_in_use',
    'Another program has the database file open for writing. Close it there, then send the file again.',
  )

export const tookTooLong = (timeMs: number) =>
  new Refusal(
    'body_too_large',
    `Reading the file took longer than ${Math.round(timeMs / 1000)} seconds. Nothing was imported; send less at once.`,
  )

/** What to tell the person who sent the file. Anything else is a fault of ours. */
export function asRefusal(error: unknown, context: { table: string; wasCancelled: boolean }): unknown {
  if (context.wasCancelled) return new Refusal('invalid_request', 'The upload was cancelled. Nothing was imported.')
  if (!(error instanceof ImportFault)) return error
  switch (error.kind) {
    case 'file':
      return new Refusal('file_unreadable', withStop(error.message))
    case 'exists':
      return tableExists(context.table, withStop(error.message))
    case 'target':
      return new Refusal('database_unreachable', error.message)
    case 'too_large':
      return new Refusal('body_too_large', `${withStop(error.message)} Nothing was imported; send less at once.`)
    case 'stopped':
      return error
  }
}

const withStop = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`)
