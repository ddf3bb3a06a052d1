import { EngineError } from '../engine.ts'
import { excerptAt } from '../error-excerpt.ts'
import { lex } from '../sql/lex.ts'
import { readStatements } from '../sql/split-statements.ts'
import { snowflakeSyntax } from './snowflake-syntax.ts'

const { lexicalRules } = snowflakeSyntax
const readingWords = new Set(['select', 'with', 'values', 'show', 'describe', 'desc', 'explain'])
const explainWords = new Set(['using', 'tabular', 'json', 'text'])

const refused = (message: string) => new EngineError('refused', message)

/**
 * The text of the single statement, without its semicolon. Snowflake has no read-only transactions, so only statements that are known
 * to read are sent. What they may read, and that functions in them cannot write, is up to the role.
 */
export function checkStatement(sql: string): string {
  const [only, ...others] = readStatements(sql, lexicalRules)
  if (!only) throw refused('There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw refused('Only one statement can run at a time. Remove the others.')
  if (only.unclear !== null) throw refused(`Cannot tell what the statement does because of ${only.unclear}.`)
  checkFirstWord(sql, only.words[0] === 'explain' ? only.words.slice(1).filter((word) => !explainWords.has(word)) : only.words)
  checkParts(sql, only.words)
  // The position of an error counts from the start of the text, so what comes before the statement stays.
  return sql.slice(0, only.end)
}

function checkFirstWord(sql: string, [first]: string[]): void {
  if (first !== undefined && readingWords.has(first)) return
  if (first !== undefined && commands.has(first)) {
    throw refused(`${first.toUpperCase()} statements are not allowed. Only statements that read data can run.`)
  }
  const [start] = readStatements(sql, lexicalRules)
  const before = sql.slice(0, start!.start)
  const position = { line: before.split('\n').length, column: start!.start - before.lastIndexOf('\n') }
  const message = `Statements begin with SELECT or WITH${first === undefined ? '' : `, not with ${first}`}.`
  throw new EngineError('failed', `${message}\n${excerptAt(sql, position)}`, { position })
}

/** Ways to write from within a statement that begins like one that reads. */
function checkParts(sql: string, words: string[]): void {
  const isChained = lex(sql, lexicalRules).some(({ start, end, position }) => position.kind === 'bare' && sql.slice(start, end).includes('->>'))
  if (isChained) throw refused('Statements chained with ->> are not allowed. Write one SELECT statement.')
  if (words[0] === 'with' && words.includes('procedure')) throw refused('Procedures are not allowed. Only statements that read data can run.')
  const system = words.find((word) => word.startsWith('system$') && !readingFunctions.has(word))
  if (system !== undefined) throw refused(`The function ${system.toUpperCase()} is not allowed, because it may change something.`)
}

const readingFunctions = new Set([
  'system$clustering_depth', 'system$clustering_information', 'system$estimate_query_acceleration', 'system$last_change_commit_time',
  'system$stream_has_data', 'system$typeof',
])

/** Words that begin other statements. Any other word is a mistake. */
const commands = new Set([
  'alter', 'begin', 'call', 'comment', 'commit', 'copy', 'create', 'declare', 'delete', 'drop', 'execute', 'get', 'grant', 'insert', 'let',
  'list', 'ls', 'merge', 'put', 'remove', 'return', 'revoke', 'rm', 'rollback', 'set', 'truncate', 'undrop', 'unset', 'update', 'use',
])
