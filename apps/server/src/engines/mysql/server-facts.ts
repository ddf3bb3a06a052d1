import type { Connection } from 'mysql2'
import { EngineError } from '../engine.ts'
import { queryRows } from './query-rows.ts'

/** Facts about a server, and how its sessions are prepared. */
export interface ServerFacts {
  /** Distinguishes servers behind one address, because a thread id is only meaningful on its own server. */
  identity: string
  /** MariaDB counts the rows that a session has read from tables. */
  countsRowsRead: boolean
  /** The statement that prepares a session. */
  prepareSession: string
}

/** Modes that change the meaning of quotes and backslashes, which parameters rely on, or switch to another SQL dialect. */
const incompatibleModes = new Set([
  'ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'ANSI', 'ORACLE', 'MSSQL', 'DB2', 'POSTGRESQL', 'MAXDB',
])

const identityVariables = ['hostname', 'port', 'server_id', 'server_uuid', 'server_uid']

const wanted = [
  ...identityVariables, 'version', 'sql_mode', 'tx_read_only', 'transaction_read_only', 'max_statement_time',
  'max_execution_time',
]

/**
 * Longer than the service's own limit. It catches statements whose service process is gone: nothing else would stop them, and
 * the server would not notice until it has something to send.
 */
const longestStatementSeconds = 25 * 3600

export async function readServerFacts(connection: Connection): Promise<ServerFacts> {
  const names = wanted.map((name) => `'${name}'`).join()
  const rows = await queryRows(connection, `show variables where variable_name in (${names})`)
  const variables = new Map(rows as [string, string][])
  return {
    identity: identityVariables.map((name) => variables.get(name) ?? '').join(' '),
    countsRowsRead: isMariadb(variables.get('version') ?? ''),
    prepareSession: prepareSession(variables),
  }
}

const isMariadb = (version: string) => /mariadb/i.test(version)

/** `MariaDB 10.11.19` from `10.11.19-MariaDB-0+deb12u1`, `MySQL 8.4.0` from `8.4.0-log`. */
export function nameVersion(version: string): string {
  return `${isMariadb(version) ? 'MariaDB' : 'MySQL'} ${/^[\d.]*\d/.exec(version)?.[0] ?? version}`
}

function prepareSession(variables: Map<string, string>): string {
  const readOnly = ['transaction_read_only', 'tx_read_only'].find((name) => variables.has(name))
  if (readOnly === undefined) {
    throw new EngineError('unreachable', 'This server does not support read-only transactions, which the service requires.')
  }
  const modes = (variables.get('sql_mode') ?? '').split(',').filter((mode) => !incompatibleModes.has(mode))
  const settings = [
    'names utf8mb4',
    "session time_zone = '+00:00'",
    `session sql_mode = '${modes.join()}'`,
    // Every statement is its own read-only transaction, without round trips to begin and end it.
    `session ${readOnly} = 1`,
    'session autocommit = 1',
    // A reader may be slow. By default the server would close the connection after a minute.
    `session net_write_timeout = ${longestStatementSeconds}`,
  ]
  // MariaDB counts seconds, MySQL milliseconds. A limit that the server already has for this user is kept.
  for (const [name, unitsPerSecond] of [['max_statement_time', 1], ['max_execution_time', 1000]] as const) {
    const limit = variables.get(name)
    if (limit === undefined) continue
    settings.push(`session ${name} = ${Number(limit) || longestStatementSeconds * unitsPerSecond}`)
  }
  return `set ${settings.join(', ')}`
}
