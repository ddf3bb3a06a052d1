import type { Connection } from 'mysql2'
import { EngineError } from '../engine.ts'
import { ask } from './ask.ts'

/** What answers, and how its sessions are put in order. */
export interface ServerFacts {
  /** Tells servers apart that are behind one address: the number of a session means something else on each. */
  identity: string
  /** MariaDB counts the rows that a session has read from tables. */
  countsRowsRead: boolean
  /** The one statement that makes a session ours. */
  prepareSession: string
}

/** These make the server read quotes and backslashes otherwise than parameters are written, or another language. */
const modesThatReadOtherwise = new Set([
  'ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'ANSI', 'ORACLE', 'MSSQL', 'DB2', 'POSTGRESQL', 'MAXDB',
])

const identityVariables = ['hostname', 'port', 'server_id', 'server_uuid', 'server_uid']

const wanted = [
  ...identityVariables, 'version', 'sql_mode', 'tx_read_only', 'transaction_read_only', 'max_statement_time',
  'max_execution_time',
]

/**
 * Longer than the service itself allows anybody. It is for the case that the service is gone: then nobody is left to
 * stop a statement, and the server would not notice until it has something to send.
 */
const longestStatementSeconds = 25 * 3600

export async function readServerFacts(connection: Connection): Promise<ServerFacts> {
  const names = wanted.map((name) => `'${name}'`).join()
  const rows = await ask(connection, `show variables where variable_name in (${names})`)
  const variables = new Map(rows as [string, string][])
  return {
    identity: identityVariables.map((name) => variables.get(name) ?? '').join(' '),
    countsRowsRead: isMariadb(variables.get('version') ?? ''),
    prepareSession: prepareSession(variables),
  }
}

const isMariadb = (version: string) => /mariadb/i.test(version)

/** `MariaDB 10.11.19` of `10.11.19-MariaDB-0+deb12u1`, `MySQL 8.4.0` of `8.4.0-log`. */
export function nameVersion(version: string): string {
  return `${isMariadb(version) ? 'MariaDB' : 'MySQL'} ${/^[\d.]*\d/.exec(version)?.[0] ?? version}`
}

function prepareSession(variables: Map<string, string>): string {
  const readOnly = ['transaction_read_only', 'tx_read_only'].find((name) => variables.has(name))
  if (readOnly === undefined) {
    throw new EngineError('unreachable', 'This server has no read-only transactions, so it cannot be held to reading.')
  }
  const modes = (variables.get('sql_mode') ?? '').split(',').filter((mode) => !modesThatReadOtherwise.has(mode))
  const settings = [
    'names utf8mb4',
    "session time_zone = '+00:00'",
    `session sql_mode = '${modes.join()}'`,
    // Every statement of the session is a read-only transaction of its own: no round trip to begin and end one.
    `session ${readOnly} = 1`,
    'session autocommit = 1',
    // A reader may be slow; the server would hang up after a minute.
    `session net_write_timeout = ${longestStatementSeconds}`,
  ]
  // MariaDB counts seconds, MySQL milliseconds. A limit that the server has for this user already stays.
  for (const [name, unitsPerSecond] of [['max_statement_time', 1], ['max_execution_time', 1000]] as const) {
    const limit = variables.get(name)
    if (limit === undefined) continue
    settings.push(`session ${name} = ${Number(limit) || longestStatementSeconds * unitsPerSecond}`)
  }
  return `set ${settings.join(', ')}`
}
