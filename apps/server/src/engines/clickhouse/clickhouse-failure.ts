/** Turns a failure into the server's own message, without its error codes, stack trace and version. */
import { EngineError, type EngineErrorKind } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { withEllipsis } from '../../ports/cut-text.ts'
import { excerptAt } from '../error-excerpt.ts'
import { describeUnavailable, ServerUnavailable } from '../http/server-unavailable.ts'

export interface ServerException {
  code: number
  message: string
}

/**
 * Versions before 20 write `Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() =
 * DB::Exception`, current ones `Code: 60. DB::Exception: Table a.b doesn't exist. (UNKNOWN_TABLE) (version
 * 24.8.4.13)`, and those in between some of both.
 */
const beginning = /Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::(?:\w+::)*\w*Exception: |(?=Attempt))/g

/** The separator between the rows of a result. */
const nextRow = '\n\t\t['

/**
 * In the middle of a result, the exception comes after the rows. Rows may themselves contain text that looks like an
 * exception, so this takes the first one after the last row. Any that follow are its causes.
 */
export function findException(text: string): ServerException | undefined {
  const found = [...text.matchAll(beginning)].filter(({ index }) => !text.includes(nextRow, index))
  const exception = found.find(({ index }) => index === 0 || /[\]\n]/.test(text[index - 1]!)) ?? found[0]
  if (!exception) return undefined
  return { code: Number(exception[1]), message: tidy(text.slice(exception.index + exception[0].length)) }
}

function tidy(text: string): string {
  const message = text
    .replace(/\s*\d+ \S+\s+__exception__[\s\S]*$/, '')
    .replaceAll(/,? e\.what\(\) = [^\n]*/g, '')
    .replaceAll(/,? ?Stack trace(?: \(when copying[^)]*\))?:[\s\S]*$/g, '')
    .replaceAll(/ ?\(version [\w.-]+(?: \([^)]*\))?\)/g, '')
    .replaceAll(/ ?\([A-Z][A-Z0-9_]{3,}\)(?=\s*(?:[\n.]|$))/g, '')
    .replaceAll(/ ?\(from \[?[\da-fA-F.:]+\]?:\d+\)/g, '')
    .replaceAll(/(?:Code: \d+[.,] )?(?:e\.displayText\(\) = )?DB::(?:\w+::)*\w*Exception: /g, '')
    .replaceAll(/Code: \d+[.,] e\.displayText\(\) = /g, '')
    .replaceAll(/\s*\n\s*\n[\s.]*/g, ' ')
    .replace(/ Expected one of: ([\s\S]*)$/, (list) => (list.length > expectedLength ? '' : list))
    .trim()
  return withEllipsis(message, maxLength)
}

const maxLength = 1000
/** The parser lists every token it would have accepted, which in most places is all of SQL. */
const expectedLength = 160

const badCredentials = new Set([192, 193, 194, 195, 516])
/** Read-only mode, no access to the database, no privilege at all, a setting beyond what the profile allows. */
const notAllowed = new Set([164, 291, 452, 497])
/** Between the servers of a cluster: connection refused, lost, timed out, or all replicas failed. */
const lostServer = new Set([32, 209, 210, 279, 425, 519])

export function describeException({ code, message }: ServerException, sql: string): EngineError {
  const position = sql === '' ? null : positionOf(code, message, sql)
  const remedy = remedyOf(code, message)
  const combined = remedy ? `${message}${/[.!?)]$/.test(message) ? '' : '.'} ${remedy}` : message
  return new EngineError(kindOf(code), position ? `${combined}\n\n${excerptAt(sql, position)}` : combined, { position })
}

/** The error in a response that is not a result. */
export function describeResponse(text: string, sql: string): EngineError {
  const exception = findException(text)
  return exception ? describeException(exception, sql) : new ServerUnavailable(noClickhouse, { wasConnected: false })
}

const unknownDatabase = 81

/** The same for the service's own queries, where an unknown database can only be the configured one. */
export function describeOwnQueryError(text: string): EngineError {
  const exception = findException(text)
  if (exception?.code !== unknownDatabase) return describeResponse(text, '')
  return new EngineError('unreachable', `${exception.message.replace(/\.?$/, '.')} Check the name of the database.`)
}

const noClickhouse =
  'The server that answered is not the HTTP interface of ClickHouse. Check the port: usually it is 8123, or 8443 with TLS.'

export const toServerUnavailable = (error: unknown) => describeUnavailable(error, noClickhouse)

function kindOf(code: number): EngineErrorKind {
  if (badCredentials.has(code) || lostServer.has(code)) return 'unreachable'
  return notAllowed.has(code) ? 'refused' : 'failed'
}

function remedyOf(code: number, message: string): string | undefined {
  if (lostServer.has(code)) {
    return 'A server of the cluster that the statement needs cannot be reached. Run it again once the server is back.'
  }
  if (code === 358) return 'Remove INTO OUTFILE: the result is stored here.'
  if (code === 164 && /setting|SET query/i.test(message)) {
    return 'Statements run with readonly = 1, which allows no SETTINGS clause. Put the settings into the user\'s profile.'
  }
  if (code === 164) return 'Statements run with readonly = 1: they can read tables, but not files or other servers.'
  return undefined
}

const syntaxError = 62

/** The parser counts bytes from 1. `(line 2, col 5)` adds nothing, and is not always there. */
function positionOf(code: number, message: string, sql: string): ErrorPosition | null {
  const found = code === syntaxError ? /failed at position (\d+)/.exec(message) : null
  if (!found) return null
  const before = Buffer.from(sql).subarray(0, Number(found[1]) - 1).toString()
  const lines = before.split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
