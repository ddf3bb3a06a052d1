import type { ComputedFigure } from '../expressions/compute-figure.ts'
import type { Condition } from '../expressions/expression.ts'
import type { Token } from '../text/tokens.ts'
import { calendarUnitOf } from '../words/calendar-words.ts'
import { isNegation } from '../words/direction-words.ts'
import { isSameWord, wordSet } from '../words/fold.ts'
import { isNoneDeterminer } from '../words/none-words.ts'
import type { Context } from './context.ts'
import { wordsOfName } from './label-index.ts'
import type { Frame, PlacedFigure, Scope } from './scope.ts'

/** Checks for words near a figure that turn it into something else: "not", "per day", "target". Returns the reason if there are any. */
export function judgeMeaning(placed: PlacedFigure, scope: Scope, context: Context): string | null {
  if (isNegated(placed, scope)) return 'The text denies it.'
  const rate = rateBefore(placed, scope) ?? rateAfter(placed, scope)
  if (rate && !isKnown(rate, placed, scope, context)) return `It is not a figure per ${rate.text}.`
  const other = otherMeaning(placed, scope).find((token) => !isKnown(token, placed, scope, context))
  return other ? `It is not a ${other.fold}.` : null
}

/** How many words before a figure may deny it: "did not reach revenue of …". */
const denialDistance = 6

function isNegated({ from, figure }: PlacedFigure, { tokens, clause }: Scope): boolean {
  const conditions = [figure.subject, figure.base].flatMap((one) => one?.operand.conditions ?? [])
  if (conditions.some(isNegative)) return false
  const words = tokens.slice(clause.from, from).filter(({ kind }) => kind === 'word' || kind === 'figure')
  const near = words.slice(-denialDistance)
  // A label or another figure in between takes the denial.
  const since = near.slice(near.findLastIndex(({ kind }) => kind === 'figure') + 1)
  // "No orders: 0" says the same twice.
  const isDenial = (word: string) => isNegation(word) && !(isZero(figure) && isNoneDeterminer(word))
  return since.some(({ fold }) => isDenial(fold))
}

/** Whether a figure is the number zero, rather than a change of nothing. */
export const isZero = ({ comparison, value }: ComputedFigure): boolean => comparison === null && /^-?0(\.0+)?$/.test(value)

/** Conditions that are said with "not" or "without". */
export const isNegative = (condition: Condition) =>
  condition.kind === 'null' || (condition.kind === 'compare' && (condition.operator === '!=' || condition.literal.text === 'false'))

const frequencies = wordSet('hourly daily weekly monthly quarterly yearly annually apiece täglich wöchentlich monatlich jährlich')

/** "{{…}} per customer", "{{…}} orders a day", "{{…}} daily": what the figure would be divided by. */
function rateAfter({ from, figure }: PlacedFigure, scope: Scope): Token | undefined {
  const { tokens } = scope
  const name = scope.namesIn(figure.subject.view).find((mention) => mention.from === from + 1)
  const at = name ? name.to : from + 1
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first?.kind !== 'word') return undefined
  if (/^(per|pro|je|par|por|each|every)$/.test(first.fold) && second?.kind === 'word') return second
  if (/^(a|an)$/.test(first.fold) && second && calendarUnitOf(second.fold) !== undefined) return second
  return frequencies.has(first.fold) ? first : undefined
}

const distributors = wordSet('each every per jeder jede jedes jeden pro chaque cada ogni elk elke ieder iedere')

/** "Each country had {{…}}": a total is not what each of its rows has. The figure of one row names that row instead. */
function rateBefore({ from, figure }: PlacedFigure, { tokens, clause }: Scope): Token | undefined {
  if (figure.comparison !== null || !totals.has(figure.subject.operand.kind)) return undefined
  const at = tokens.slice(clause.from, from).findLastIndex(({ kind, fold }) => kind === 'word' && distributors.has(fold))
  const next = at < 0 ? undefined : tokens[clause.from + at + 1]
  return next?.kind === 'word' ? next : undefined
}

const totals = new Set(['sum', 'count', 'rows'])

const others = wordSet(
  `target targets goal goals forecast forecasts budget budgets plan plans planned estimate estimates estimated projection projections
   projected expected loss losses lost deficit gap debt shortfall quota ziel ziele prognose verlust verluste objectif prévision perte pertes
   objetivo previsión pérdida pérdidas obiettivo previsione perdita perdite meta previsão perda perdas doel verwachting verlies`,
)

/** Words beside the figure or its name that make it another thing than the column: "revenue target". A heading may have named it. */
function otherMeaning({ from, figure }: PlacedFigure, { sentence, frames }: Scope): Token[] {
  const { view } = figure.subject
  const besideNames = ({ tokens, namesIn }: Frame) => namesIn(view).flatMap((mention) => [tokens[mention.from - 1], tokens[mention.to]])
  const naming = sentence.namesIn(view).length > 0 ? sentence : frames.find((frame) => frame.namesIn(view).length > 0)
  const beside = [sentence.tokens[from + 1], ...(naming ? besideNames(naming) : [])]
  return beside.filter((token) => token !== undefined).filter(({ fold }) => others.has(fold))
}

/** Words of the column's name, the title or the question are known to readers; so is what an average is taken over. */
function isKnown({ fold }: Token, { figure }: PlacedFigure, scope: Scope, context: Context): boolean {
  const { subject, base } = figure
  if (subject.operand.kind === 'avg' || subject.operand.kind === 'median' || base?.operand.kind === 'avg') return true
  const names = [subject.column?.name ?? '', base?.column?.name ?? '', subject.view.result.title ?? '']
  const isWord = (word: string) => isSameWord(word, fold)
  const isAsked = context.question.some((token) => token.kind === 'word' && isWord(token.fold))
  const isInLabel = scope.mentions.some(({ from, to }) => scope.tokens.slice(from, to).some((token) => token.fold === fold))
  return isAsked || isInLabel || names.some((name) => wordsOfName(name).some(isWord))
}
