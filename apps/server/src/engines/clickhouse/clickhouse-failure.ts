/** What a failure is called: in the words of the server, without its codes for machines, its stack and its version. */
import { EngineError, type EngineErrorKind } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { withEllipsis } from '../../ports/cut-text.ts'
import { excerptAt } from '../error-excerpt.ts'
import { networkFailure } from '../server-failures.ts'

export interface ServerException {
  code: number
  words: string
}

/**
 * Versions before 20 write `Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() =
 * DB::Exception`, current ones `Code: 60. DB::Exception: Table a.b doesn't exist. (UNKNOWN_TABLE) (version
 * 24.8.4.13)`, and those in between some of both.
 */
const beginning = /Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::(?:\w+::)*\w*Exception: |(?=Attempt))/g

/** What separates the rows of a result. */
const nextRow = '\n\t\t['

/**
 * In the middle of a result it stands behind the rows, some of which may speak of exceptions themselves: so it is the
 * first behind the last of them. Those that follow are its causes.
 */
export function findException(text: string): ServerException | undefined {
  const found = [...text.matchAll(beginning)].filter(({ index }) => !text.includes(nextRow, index))
  const exception = found.find(({ index }) => index === 0 || /[\]\n]/.test(text[index - 1]!)) ?? found[0]
  if (!exception) return undefined
  return { code: Number(exception[1]), words: tidy(text.slice(exception.index + exception[0].length)) }
}

function tidy(text: string): string {
  const words = text
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
  return withEllipsis(words, maxLength)
}

const maxLength = 1000
/** The parser lists everything that it would have taken, which at most places is all of SQL. */
const expectedLength = 160

const badCredentials = new Set([192, 193, 194, 195, 516])
/** Not in read-only mode, no right to the database, no right at all, a setting beyond what the profile allows. */
const notAllowed = new Set([164, 291, 452, 497])
/** Between the servers of a cluster: a connection refused, lost, slow, or tried with every replica in vain. */
const lostServer = new Set([32, 209, 210, 279, 425, 519])

export function describeException({ code, words }: ServerException, sql: string): EngineError {
  const position = sql === '' ? null : positionOf(code, words, sql)
  const remedy = remedyOf(code, words)
  const message = remedy ? `${words}${/[.!?)]$/.test(words) ? '' : '.'} ${remedy}` : words
  return new EngineError(kindOf(code), position ? `${message}\n\n${excerptAt(sql, position)}` : message, { position })
}

/** What an answer says that is no result. */
export function describeAnswer(text: string, sql: string): EngineError {
  const exception = findException(text)
  return exception ? describeException(exception, sql) : new NotThere(noClickhouse, { wasConnected: false })
}

const unknownDatabase = 81

/** The same for what is asked on our own account: of the databases, it names only the one that is set. */
export function describeOwn(text: string): EngineError {
  const exception = findException(text)
  if (exception?.code !== unknownDatabase) return describeAnswer(text, '')
  return new EngineError('unreachable', `${exception.words.replace(/\.?$/, '.')} Check the name of the database.`)
}

const noClickhouse =
  'What answers there is not the HTTP interface of ClickHouse. Check the port: usually it is 8123, and 8443 with TLS.'

/** Nobody answers: the connection could not be made, was lost before an answer came, or leads to something else. */
export class NotThere extends EngineError {
  readonly wasConnected: boolean

  constructor(message: string, options: { wasConnected: boolean; cause?: unknown }) {
    super('unreachable', message, { cause: options.cause })
    this.wasConnected = options.wasConnected
  }
}

export function notThere(error: unknown): NotThere {
  // What dialling throws has its words already.
  if (error instanceof EngineError) return new NotThere(error.message, { wasConnected: false, cause: error })
  if (error instanceof SyntaxError) return new NotThere(noClickhouse, { wasConnected: false })
  const words = networkFailure(error) ?? 'The database server ended the connection before it answered.'
  return new NotThere(words, { wasConnected: true, cause: error })
}

function kindOf(code: number): EngineErrorKind {
  if (badCredentials.has(code) || lostServer.has(code)) return 'unreachable'
  return notAllowed.has(code) ? 'refused' : 'failed'
}

function remedyOf(code: number, words: string): string | undefined {
  if (lostServer.has(code)) {
    return 'A server of the cluster that the statement needs cannot be reached; run it again once it is back.'
  }
  if (code === 358) return 'Leave INTO OUTFILE out: results are kept here.'
  if (code === 164 && /setting|SET query/i.test(words)) {
    return 'Statements run with readonly = 1, which allows no SETTINGS clause: put them into the profile of the user.'
  }
  if (code === 164) return 'Statements run with readonly = 1: they read tables, and neither files nor other servers.'
  return undefined
}

const syntaxError = 62

/** The parser counts bytes from 1. `(line 2, col 5)` says no more, and not always. */
function positionOf(code: number, words: string, sql: string): ErrorPosition | null {
  const found = code === syntaxError ? /failed at position (\d+)/.exec(words) : null
  if (!found) return null
  const before = Buffer.from(sql).subarray(0, Number(found[1]) - 1).toString()
  const lines = before.split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
