import {
  aggregates,
  type Comparison,
  comparisons,
  type Condition,
  type Expression,
  ExpressionError,
  type Literal,
  type Operand,
  operandsOf,
  type Operator,
  type Placeholder,
  type Style,
  styles,
} from './expression.ts'
import { type Token, tokenize } from './tokenize.ts'

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T => (all as readonly string[]).includes(text)

/** Parses what is between the braces of a placeholder: `r1: sum(revenue) | exact`. */
export function parsePlaceholder(text: string): Placeholder {
  const tokens = makeTokens(text)
  const source = tokens.take()
  if ((source.kind !== 'word' && source.kind !== 'name') || !tokens.skip(':')) {
    throw new ExpressionError('A placeholder starts with the name of a run and a colon, as in {{r1: sum(revenue)}}.')
  }
  const expression = readExpression(tokens)
  const style = tokens.skip('|') ? readStyle(tokens) : null
  tokens.expectEnd()
  for (const operand of operandsOf(expression)) rejectForProofs(operand)
  return { source: source.text, expression, style }
}

/** Digests explain what these mean; a sentence around a placeholder could say anything about it, and nobody would check. */
function rejectForProofs({ by, conditions }: Operand): void {
  if (by.length > 0) throw new ExpressionError('There is no "by" in placeholders. Group the rows in SQL.')
  const isSet = conditions.some((condition) => condition.kind === 'in_source' || (condition.kind === 'in' && condition.isNegated))
  if (isSet) throw new ExpressionError('There is no "in" with a run and no "not in" in placeholders. Select the rows in SQL.')
}

/** Parses an expression with its style, as figures store it: `sum(revenue) | exact`. */
export function parseExpression(text: string): { expression: Expression; style: Style | null } {
  const tokens = makeTokens(text)
  const expression = readExpression(tokens)
  const style = tokens.skip('|') ? readStyle(tokens) : null
  tokens.expectEnd()
  return { expression, style }
}

type Tokens = ReturnType<typeof makeTokens>

function makeTokens(text: string) {
  const tokens = tokenize(text)
  let at = 0
  const peek = (): Token => tokens[at]!
  function take(): Token {
    const token = peek()
    if (token.kind !== 'end') at++
    return token
  }
  function skip(expected: string): boolean {
    const { kind, text } = peek()
    const isFound = (kind === 'sign' && text === expected) || (kind === 'word' && text.toLowerCase() === expected)
    if (isFound) at++
    return isFound
  }
  function fail(expected: string): never {
    const { kind, text, at: position } = peek()
    throw new ExpressionError(`Expected ${expected} at position ${position + 1}, found ${kind === 'end' ? 'the end' : text}.`)
  }
  return {
    peek,
    take,
    skip,
    fail,
    /** Whether an opening parenthesis follows the next token, which makes it a function. */
    isCall: () => peek().kind === 'word' && tokens[at + 1]?.text === '(' && tokens[at + 1]?.kind === 'sign',
    expect(expected: string) {
      if (!skip(expected)) fail(expected)
    },
    expectEnd() {
      if (peek().kind !== 'end') fail('the end of the expression, "where" or "of"')
    },
  }
}

function readStyle(tokens: Tokens): Style {
  const { text } = tokens.peek()
  if (!isOneOf(styles, text)) return tokens.fail(`one of the styles ${styles.join(', ')}`)
  tokens.take()
  return text
}

function readExpression(tokens: Tokens): Expression {
  const kind = tokens.peek().text.toLowerCase()
  if (!tokens.isCall() || !isOneOf(comparisons, kind)) return readOperand(tokens)
  return readComparison(tokens, kind)
}

function readComparison(tokens: Tokens, kind: Comparison['kind']): Comparison {
  tokens.take()
  tokens.expect('(')
  const first = readOperand(tokens)
  tokens.expect(',')
  const second = readOperand(tokens)
  tokens.expect(')')
  return kind === 'change' || kind === 'difference' ? { kind, base: first, subject: second } : { kind, base: second, subject: first }
}

function readOperand(tokens: Tokens): Operand {
  const operand: Operand = { kind: 'value', column: null, isDistinct: false, by: [], conditions: [], source: null }
  if (tokens.isCall()) readCall(tokens, operand)
  else operand.column = readName(tokens, 'a column or a function')
  if (tokens.skip('where')) operand.conditions.push(...readConditions(tokens))
  if (tokens.skip('of')) operand.source = readName(tokens, 'the name of a run')
  if (tokens.skip('where')) operand.conditions.push(...readConditions(tokens))
  return operand
}

function readCall(tokens: Tokens, operand: Operand): void {
  const name = tokens.peek().text.toLowerCase()
  if (isOneOf(comparisons, name)) tokens.fail(`a column or one of ${aggregates.join(', ')}; ${name}(…) cannot be nested`)
  if (name !== 'count' && name !== 'rows' && !isOneOf(aggregates, name)) {
    return tokens.fail(`one of the functions ${[...aggregates, 'count', 'rows', ...comparisons].join(', ')}`)
  }
  tokens.take()
  tokens.expect('(')
  operand.kind = name
  if (name === 'count') {
    if (!tokens.skip('*')) {
      if (tokens.skip('distinct')) operand.isDistinct = true
      operand.column = readName(tokens, 'a column or *')
    }
  } else if (name !== 'rows') operand.column = readName(tokens, 'a column')
  if (isOneOf(grouping, name) && tokens.skip('by')) operand.by.push(...readNames(tokens))
  if (name !== 'rows' && tokens.skip('where')) operand.conditions.push(...readConditions(tokens))
  tokens.expect(')')
}

/** Functions that can take the sums of groups instead of the values of rows. */
const grouping = ['avg', 'min', 'max', 'median'] as const

function readNames(tokens: Tokens): string[] {
  const names = [readName(tokens, 'a column')]
  while (tokens.skip(',')) names.push(readName(tokens, 'a column'))
  return names
}

function readName(tokens: Tokens, expected: string): string {
  const token = tokens.peek()
  if (token.kind === 'number') tokens.fail(`${expected}; numbers are allowed only after "where"`)
  if (token.kind !== 'word' && token.kind !== 'name') tokens.fail(expected)
  tokens.take()
  return token.text
}

function readConditions(tokens: Tokens): Condition[] {
  const conditions: Condition[] = []
  do conditions.push(readCondition(tokens))
  while (tokens.skip('and'))
  if (tokens.peek().kind === 'word' && tokens.peek().text.toLowerCase() === 'or') {
    tokens.fail('"and" or the end; instead of "or", use in (…)')
  }
  return conditions
}

const operators = ['=', '!=', '<', '<=', '>', '>='] as const satisfies readonly Operator[]

function readCondition(tokens: Tokens): Condition {
  const column = readName(tokens, 'a column')
  if (tokens.skip('is')) {
    const isNegated = tokens.skip('not')
    tokens.expect('null')
    return { kind: 'null', column, isNegated }
  }
  const isNegated = tokens.skip('not')
  if (isNegated) tokens.expect('in')
  if (isNegated || tokens.skip('in')) return readMembership(tokens, { column, isNegated })
  const { text: operator } = tokens.peek()
  if (!isOneOf(operators, operator)) return tokens.fail(`${operators.join(' ')}, in (…) or is null`)
  tokens.take()
  return { kind: 'compare', column, operator, literal: readLiteral(tokens) }
}

/** After `in`: a list of values, or the name of a run. */
function readMembership(tokens: Tokens, { column, isNegated }: { column: string; isNegated: boolean }): Condition {
  if (!tokens.skip('(')) return { kind: 'in_source', column, source: readName(tokens, '( or the name of a run'), isNegated }
  const literals = [readLiteral(tokens)]
  while (tokens.skip(',')) literals.push(readLiteral(tokens))
  tokens.expect(')')
  return { kind: 'in', column, literals, isNegated }
}

function readLiteral(tokens: Tokens): Literal {
  const token = tokens.peek()
  const word = token.kind === 'word' ? token.text.toLowerCase() : ''
  if (token.kind === 'text' || token.kind === 'number') {
    tokens.take()
    return { kind: token.kind, text: token.text }
  }
  if (word === 'true' || word === 'false') {
    tokens.take()
    return { kind: 'boolean', text: word }
  }
  return tokens.fail(word === 'null' ? 'a value; use "is null"' : "a value such as 'Germany', '2025-12-01' or 12.5")
}
