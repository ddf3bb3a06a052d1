import type { Condition } from '../expressions/expression.ts'
import type { Token } from '../text/tokens.ts'
import { isAggregateWord } from '../words/aggregate-words.ts'
import { comparisonBefore } from '../words/bound-words.ts'
import { isSameWord } from '../words/fold.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import type { Context } from './context.ts'
import { type Claim, wordsBefore } from './find-claims.ts'
import { isGiven, numberKey } from './given.ts'
import { judgeDirection } from './judge-direction.ts'
import { wordsOfName } from './label-index.ts'
import type { Scope } from './scope.ts'

/** The reason why a claim is not proven; null if it is. */
export function judgeClaim(claim: Claim, scope: Scope, scopes: readonly Scope[], context: Context): string | null {
  const { tokens } = scope
  const { kind, from, to } = claim
  switch (kind) {
    case 'number':
      return isAllowedNumber(claim, scope, scopes, context) ? null : 'This number was not computed from a result.'
    case 'number_word':
      return context.givenTexts.some((text) => isGiven(tokens, from, to, text)) ? null : 'This number was not computed from a result.'
    case 'unit':
      return isAllowedUnit(claim, scope, context) ? null : 'The figure does not have this unit.'
    case 'sign':
      return 'This sign changes the figure.'
    case 'bound':
      return isLiteralBound(claim, scope) ? null : 'The figure is exact; this says that it is not.'
    case 'direction':
      return judgeDirection(claim, scope, scopes, context)
    case 'statistic':
      return isStatisticShown(tokens[from]!, scopes, context) ? null : 'No figure in this sentence is this statistic.'
    case 'script':
      return context.givenTexts.some((text) => text.some(({ fold }) => fold === tokens[from]!.fold)) ? null : 'Numbers in words of this script cannot be checked.'
  }
}

function isAllowedNumber({ from, to }: Claim, scope: Scope, scopes: readonly Scope[], context: Context): boolean {
  const { tokens } = scope
  if (touchesFigure(tokens, from, to)) return false
  const key = numberKey(tokens, from, to)
  if (context.givenTexts.some((text) => isGiven(tokens, from, to, text))) return true
  if (isInColumnName(tokens, from, to, context)) return true
  const hasUnit = unitMeaningOf(tokens[to]?.fold ?? '') !== undefined || unitMeaningOf(tokens[from - 1]?.fold ?? '') !== undefined
  const isNamed = (name: string) => wordsOfName(name).some((word) => word.length > 2 && tokens.some(({ kind, fold }) => kind === 'word' && isSameWord(word, fold)))
  if (!hasUnit && context.parameters.some(({ name, text }) => text === key && isNamed(name))) return true
  return !hasUnit && scopes.some(({ figures }) => figures.some(({ figure }) => literalsOf(figure.subject.operand.conditions).some((literal) => isLiteral(literal, key, tokens, from))))
}

/** "p95" is a word of the column `p95_latency`. */
function isInColumnName(tokens: readonly Token[], from: number, to: number, { views }: Context): boolean {
  const before = tokens[from - 1]
  if (to !== from + 1 || before?.kind !== 'word' || tokens[from]!.hasGap) return false
  const joined = before.fold + tokens[from]!.fold
  return views.some(({ columns }) => columns.some(({ name }) => wordsOfName(name).includes(joined)))
}

const isFigure = (token: Token | undefined) => token?.kind === 'figure'

/** Digits that touch a figure change it: "{{…}},000". */
function touchesFigure(tokens: readonly Token[], from: number, to: number): boolean {
  const [before, next] = [tokens[from - 1], tokens[to]]
  if (isFigure(before) && (!tokens[from]!.hasGap || /^\d{3}/.test(tokens[from]!.text))) return true
  if (before?.kind === 'mark' && !before.hasGap && !tokens[from]!.hasGap && isFigure(tokens[from - 2])) return true
  if (isFigure(next)) return true
  return next?.kind === 'mark' && !next.hasGap && isFigure(tokens[to + 1]) && !tokens[to + 1]!.hasGap
}

interface NumberLiteral {
  text: string
  operator: string
}

/** The numbers that conditions compare with. */
export function literalsOf(conditions: readonly Condition[]): NumberLiteral[] {
  return conditions.flatMap((condition) => {
    if (condition.kind === 'null' || condition.kind === 'in_source') return []
    const literals = condition.kind === 'in' ? condition.literals : [condition.literal]
    const operator = condition.kind === 'in' ? '=' : condition.operator
    return literals.filter(({ text }) => /^-?\d+(\.\d+)?$/.test(text)).map(({ text }) => ({ text, operator }))
  })
}

/** Whether the number at a place is the value of a condition, with words before it that express the same comparison. */
export function isLiteral({ text, operator }: NumberLiteral, key: string, tokens: readonly Token[], from: number): boolean {
  if (text !== key) return false
  if (operator === '=' || operator === '!=') return true
  const mark = tokens[from - 1]
  const words = mark?.kind === 'mark' && /^[<>≤≥]$/.test(mark.text) ? [mark.text] : wordsBefore(tokens, from).map(({ word }) => word)
  return comparisonBefore(words)?.includes(operator) ?? false
}

/** A limit that belongs to a condition's value is not about the figure. */
const isLiteralBound = ({ to }: Claim, { tokens, numbers }: Scope) => {
  const figure = numbers.find(({ from }) => from === to)?.figure
  if (!figure) return tokens[to]?.kind === 'figure'
  const { kind } = figure.subject.operand
  const word = tokens[to - 2]?.fold ?? ''
  return (kind === 'min' || kind === 'max') && /^(minimum|maximum)$/.test(word)
}

function isAllowedUnit({ from, to }: Claim, scope: Scope, context: Context): boolean {
  const { tokens, figures } = scope
  const meaning = to - from === 2 ? pairMeaning(tokens, from) : unitMeaningOf(tokens[from]!.fold)
  const isBeside = (at: number) => at === from - 1 || at === to || (at === from - 2 && tokens[from - 1]?.kind === 'mark')
  const beside = figures.find((figure) => isBeside(figure.from))
  if (beside) {
    const { figure } = beside
    if (figure.unit === meaning) return true
    const names = wordsOfName(figure.subject.column?.name ?? '')
    if (names.some((name) => isSameWord(name, tokens[from]!.fold))) return true
    // "Ordered {{…}} times" counts; "{{…}} times as much" compares.
    return meaning === 'times' && tokens[from]!.fold.length > 1 && figure.unit === '' && !/^(as|more|higher|larger|greater|the|so|plus|mehr|mas|piu|mais|meer|fewer|less|lower)$/.test(tokens[to]?.fold ?? '')
  }
  // Beside a number, the number is judged together with its unit.
  if (tokens[from - 1]?.kind === 'number' || tokens[to]?.kind === 'number') return true
  if (figures.some(({ figure }) => figure.unit === meaning)) return true
  const isColumn = context.views.some(({ columns }) => columns.some(({ unit }) => unit === meaning))
  return isColumn || context.givenTexts.some((text) => text.some(({ fold }) => unitMeaningOf(fold) === meaning))
}

const pairMeaning = (tokens: readonly Token[], from: number) => {
  const [first, second] = [tokens[from]!.fold, tokens[from + 1]!.fold]
  if (first === 'basis') return 'factor'
  return second.startsWith('point') ? 'points' : '%'
}

/** "Average" has to be printed by an average, or be part of a name or of the question. */
function isStatisticShown({ fold }: Token, scopes: readonly Scope[], context: Context): boolean {
  const kind = isAggregateWord(fold, 'median', context.language) ? 'median' : 'avg'
  const isOwn = (word: string) => isAggregateWord(word, kind, context.language)
  const isPrinted = scopes.some(({ figures }) => figures.some(({ figure }) => figure.subject.operand.kind === kind || figure.base?.operand.kind === kind))
  if (isPrinted) return true
  const isColumn = scopes.some(({ figures }) => figures.some(({ figure }) => wordsOfName(figure.subject.column?.name ?? '').some(isOwn)))
  return isColumn || (scopes.every(({ numbers }) => numbers.length === 0) && context.givenTexts.some((text) => text.some((token) => isOwn(token.fold))))
}
