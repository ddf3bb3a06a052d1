import type { Dialect } from '../../model/database.ts'
import type { ParameterValue, SingleValue } from '../../model/parameter.ts'
import { embeddedEngine } from '../registry/definitions.ts'
import { readTokens, type Token } from './sql-tokens.ts'

/** A call such as `ref('k7Qm2xVbNd', country => 'NL')`: the result of a saved query as a table. */
export interface RefCall {
  start: number
  end: number
  shortId: string
  values: Record<string, RefValue>
}

/** A placeholder, in SQL that is not rendered yet, is only known by its name. */
export type RefValue = ParameterValue | RefPlaceholder

export interface RefPlaceholder {
  placeholder: string
}

export const isPlaceholder = (value: RefValue): value is RefPlaceholder => typeof value === 'object' && 'placeholder' in value

/** A call that cannot be read. */
export interface RefFault {
  start: number
  message: string
}

/** 10 characters of the alphabet of short ids. */
const shortId = /^[2-9a-hj-km-np-zA-HJ-NP-Z]{10}$/

/** The calls of `ref` in a text. If one of them cannot be read, the fault says why. */
export function readRefCalls(sql: string): { calls: RefCall[]; fault: RefFault | null } {
  const tokens = readTokens(sql, embeddedEngine)
  const calls: RefCall[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!beginsCall(tokens, at)) continue
    try {
      const { next, ...call } = readCall(readerOf(sql, tokens, at))
      calls.push(call)
      at = next - 1
    } catch (error) {
      if (error instanceof Unreadable) return { calls, fault: { start: tokens[at]!.start, message: error.message } }
      throw error
    }
  }
  return { calls, fault: null }
}

/** Whether a query of any database seems to use a saved query. A function of the database's own that is called `ref` does not count. */
export function usesRef(sql: string, dialect: Dialect): boolean {
  if (!/\bref\b/i.test(sql)) return false
  const tokens = readTokens(sql, dialect)
  return tokens.some((_, at) => beginsCall(tokens, at) && tokens[at + 2]?.kind === 'string' && shortId.test(tokens[at + 2]!.text))
}

/** `ref(`, unless it belongs to a schema. */
const beginsCall = (tokens: Token[], at: number) =>
  tokens[at]!.kind === 'word' && tokens[at]!.text === 'ref' && tokens[at + 1]?.text === '(' && tokens[at - 1]?.text !== '.'

class Unreadable extends Error {}

interface Reader {
  peek(): Token | undefined
  take(): Token
  /** Takes the next token if it is this symbol or word. */
  skip(text: string): boolean
  position(): number
  textBetween(start: number, end: number): string
}

const isText = (token: Token | undefined, text: string) => token?.text === text && (token.kind === 'symbol' || token.kind === 'word')

function readerOf(sql: string, tokens: Token[], from: number): Reader {
  let at = from
  return {
    peek: () => tokens[at],
    take() {
      const token = tokens[at++]
      if (!token) throw new Unreadable('The call has no closing parenthesis.')
      return token
    },
    skip(text) {
      if (!isText(tokens[at], text)) return false
      at++
      return true
    },
    position: () => at,
    textBetween: (start, end) => sql.slice(start, end),
  }
}

function readCall(reader: Reader): RefCall & { next: number } {
  const { start } = reader.take()
  reader.take()
  const id = reader.take()
  if (id.kind !== 'string' || !shortId.test(id.text)) {
    throw new Unreadable(`The first argument of ref is the id of a saved query in quotes, such as ref('k7Qm2xVbNd'). The id is the end of the query's permalink.`)
  }
  const values: RefCall['values'] = {}
  let closing = reader.take()
  while (closing.text === ',') {
    const first = reader.take()
    if (first.kind !== 'word' && first.kind !== 'name') throw new Unreadable(`After the id, ref takes parameters by name, such as ref('${id.text}', country => 'NL').`)
    const name = first.kind === 'word' ? reader.textBetween(first.start, first.end) : first.text
    if (!reader.skip('=>') && !reader.skip(':=')) throw new Unreadable(`Write the parameter "${name}" of ref as ${name} => value.`)
    if (Object.hasOwn(values, name)) throw new Unreadable(`The parameter "${name}" of ref is given twice.`)
    values[name] = readValue(reader, name)
    closing = reader.take()
  }
  if (closing.kind !== 'symbol' || closing.text !== ')') {
    throw new Unreadable(`The arguments of ref are the id of a saved query and parameters with plain values, such as ref('${id.text}', country => 'NL').`)
  }
  return { start, end: closing.end, shortId: id.text, values, next: reader.position() }
}

function readValue(reader: Reader, name: string): RefValue {
  for (const [opening, end] of [['[', ']'], ['(', ')']] as const) {
    if (!reader.skip(opening)) continue
    const elements = readList(reader, name, end)
    const placeholder = elements.find((element) => typeof element === 'object')
    if (placeholder) return elements.length === 1 ? placeholder : { placeholder: '' }
    // A negative number is rendered in parentheses.
    return opening === '(' && elements.length === 1 ? elements[0]! : (elements as SingleValue[])
  }
  return readSingle(reader, name)
}

function readList(reader: Reader, name: string, end: string): (SingleValue | RefPlaceholder)[] {
  const elements: (SingleValue | RefPlaceholder)[] = []
  // An empty list is rendered as NULL.
  if (reader.skip('null') && reader.skip(end)) return []
  if (reader.skip(end)) return []
  do elements.push(reader.skip('(') ? readInParentheses(reader, name) : readSingle(reader, name))
  while (reader.skip(','))
  if (!reader.skip(end)) throw new Unreadable(plainValue(name))
  return elements
}

function readInParentheses(reader: Reader, name: string): SingleValue | RefPlaceholder {
  const value = readSingle(reader, name)
  if (!reader.skip(')')) throw new Unreadable(plainValue(name))
  return value
}

function readSingle(reader: Reader, name: string): SingleValue | RefPlaceholder {
  if (reader.peek()?.text === '{') return readPlaceholder(reader)
  const isNegative = reader.skip('-')
  const token = reader.take()
  if (token.kind === 'number') return numberOf(isNegative ? `-${token.text}` : token.text, name)
  if (isNegative) throw new Unreadable(plainValue(name))
  if (token.kind === 'string') return token.text
  if (token.kind === 'word') {
    if (token.text === 'true' || token.text === 'false') return token.text === 'true'
    const isDate = token.text === 'date'
    if ((isDate || token.text === 'timestamp') && reader.peek()?.kind === 'string') {
      const { text } = reader.take()
      return isDate ? text : text.replace(' ', 'T')
    }
  }
  throw new Unreadable(plainValue(name))
}

/** `{{name}}` in SQL that is not rendered yet. */
function readPlaceholder(reader: Reader): RefPlaceholder {
  while (reader.peek()?.text === '{') reader.take()
  const from = reader.peek()?.start ?? 0
  let end = from
  while (reader.peek() && reader.peek()!.text !== '}') ({ end } = reader.take())
  while (reader.peek()?.text === '}') reader.take()
  return { placeholder: reader.textBetween(from, end) }
}

/** A number that JavaScript cannot hold exactly stays text. */
function numberOf(text: string, name: string): SingleValue {
  const number = Number(text)
  if (!Number.isFinite(number)) throw new Unreadable(plainValue(name))
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

const plainValue = (name: string) =>
  `The parameter "${name}" of ref needs a plain value: text in quotes, a number, true, false, DATE '2026-01-31', a list such as ['a', 'b'], or a placeholder.`

/**
 * Replaces each call by a name. Everything else keeps its line and column, so that the position of an error is the same in both texts. A
 * quoted name is never longer than a call on one line, as long as it is at most five characters longer than the id.
 */
export function replaceRefCalls(sql: string, calls: RefCall[], nameOf: (call: RefCall) => string): string {
  let replaced = ''
  let at = 0
  for (const call of calls) {
    const name = `"${nameOf(call)}"`
    const text = sql.slice(call.start, call.end)
    const lineBreak = text.search(/[\r\n]/)
    const rest = text.slice(lineBreak === -1 ? name.length : lineBreak)
    replaced += sql.slice(at, call.start) + name + rest.replaceAll(/[^\r\n]/g, ' ')
    at = call.end
  }
  return replaced + sql.slice(at)
}
