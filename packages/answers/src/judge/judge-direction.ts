import type { ComputedFigure } from '../expressions/compute-figure.ts'
import { compare } from '../decimal.ts'
import type { Token } from '../text/tokens.ts'
import { isSameWord } from '../words/fold.ts'
import { arrowOf, comparativeOf, directionOf, isNegation, isPhrasal, isRelativeSize } from '../words/direction-words.ts'
import type { Context } from './context.ts'
import type { Claim } from './find-claims.ts'
import { wordsOfName } from './label-index.ts'
import type { PlacedFigure, Scope } from './scope.ts'

/** Checks "rose", "lower", "↑" and the like against the changes of the sentence. */
export function judgeDirection({ from }: Claim, scope: Scope, scopes: readonly Scope[], context: Context): string | null {
  const { tokens } = scope
  const token = tokens[from]!
  const comparative = comparativeOf(token.fold)
  if (comparative !== undefined && !isComparison(tokens, from, context)) return null
  if (isPartOfPhrase(tokens, from) || isName(token, context)) return null
  const direction = (arrowOf(token.text) ?? directionOf(token.fold, context.language) ?? comparative)!
  const shown = shownDirection(from, scope, scopes)
  const isNegated = tokens.slice(Math.max(0, from - 3), from).some(({ fold }) => isNegation(fold))
  if (shown !== undefined) {
    const isShown = isNegated ? shown === 0 || shown === -direction : shown === direction
    return isShown ? null : 'The figures show another direction.'
  }
  return isShownBefore(direction, scope, context) || isAsked(token, direction, scopes, context) ? null : 'No figure in this sentence shows this direction.'
}

/** A sentence without figures may repeat the direction of one before it. */
function isShownBefore(direction: number, { sentence, frames }: Scope, { directions }: Context): boolean {
  if (sentence.tokens.some(({ kind }) => kind === 'figure')) return false
  return frames.some(({ kind, tokens }) => kind === 'before' && directions.get(tokens)?.has(direction))
}

/** "More" claims something only before "than", beside a figure or before what is measured. */
function isComparison(tokens: readonly Token[], at: number, { views, namesIn }: Context): boolean {
  const next = tokens[at + 1]
  if (tokens[at - 1]?.kind === 'figure' || next?.kind === 'figure') return true
  if (/^(than|als|que|dan)$/.test(next?.fold ?? '')) return true
  if (/^(di|de|do)$/.test(next?.fold ?? '')) return tokens[at + 2]?.kind === 'figure'
  const names = views.flatMap((view) => namesIn(tokens as Token[], view))
  return names.some(({ from, isMeasure }) => isMeasure && from === at + 1)
}

function isPartOfPhrase(tokens: readonly Token[], at: number): boolean {
  const [before, { fold }, next] = [tokens[at - 1]?.fold ?? '', tokens[at]!, tokens[at + 1]?.fold ?? '']
  // A limit is judged with its number.
  const isLimit = /^(than|als|que|de|di|dan)$/.test(next) && tokens[at + 2]?.kind === 'number'
  const isBeforeNoun = /^[a-z]/.test(next) && !/^(than|in|by|at|of)$/.test(next)
  const isGroup = isRelativeSize(fold) && /^(the|our|your|their|these|those)$/.test(before) && isBeforeNoun
  const isAdverb = fold === 'up' || fold === 'down'
  return isLimit || isGroup || (fold === 'up' && (next === 'to' || before === '-')) || (isAdverb && isAfterPhrasal(tokens, at))
}

/** "Add up", "add them up". */
function isAfterPhrasal(tokens: readonly Token[], at: number): boolean {
  const [verb, object] = [tokens[at - 2]?.fold ?? '', tokens[at - 1]?.fold ?? '']
  return isPhrasal(object) || (isPhrasal(verb) && /^(it|them|this|that|these|those|all|both|everything)$/.test(object)) || isPhrasalWithNoun(tokens, at)
}

/** "Add all months up": the object has a noun. */
const isPhrasalWithNoun = (tokens: readonly Token[], at: number) =>
  isPhrasal(tokens[at - 3]?.fold ?? '') && /^(all|both|the|these|those)$/.test(tokens[at - 2]?.fold ?? '')

/** Words of column names and titles are names: `growth_rate`. */
function isName({ fold }: Token, { views }: Context): boolean {
  const names = views.flatMap(({ columns, result }) => [...columns.map(({ name }) => name), result.title ?? ''])
  return names.some((name) => wordsOfName(name).some((word) => isSameWord(word, fold)))
}

/** The direction that the figures around a place show; undefined if they show none. */
function shownDirection(at: number, scope: Scope, scopes: readonly Scope[]): number | undefined {
  const own = scope.figures.filter(isDirected)
  const directed = own.length > 0 ? own : scopes.flatMap(({ figures }) => figures.filter(isDirected))
  const nearest = directed.toSorted((a, b) => Math.abs(a.from - at) - Math.abs(b.from - at))[0]
  const fromTo = directionFromTo(at, scope, scopes)
  if (own.length === 0 && fromTo !== undefined) return fromTo
  return nearest ? directionIn(nearest.figure) : fromTo
}

const isDirected = ({ figure }: PlacedFigure) => figure.direction !== null || figure.comparison === 'ratio'

function directionIn({ direction, subject, base }: ComputedFigure): number {
  if (direction !== null) return direction
  return subject.value.kind === 'number' && base!.value.kind === 'number' ? compare(subject.value.number, base!.value.number) : 0
}

/** "Rose from {{a}} to {{b}}" and "{{b}}, up from {{a}}" show the direction by two figures of the same column. */
function directionFromTo(at: number, { tokens }: Scope, scopes: readonly Scope[]): number | undefined {
  const numbers = scopes.flatMap((scope) => scope.numbers)
  const isAfter = (placed: PlacedFigure, pattern: RegExp) => {
    const words = tokens.slice(Math.max(0, placed.from - 2), placed.from).map(({ fold }) => fold)
    return words.some((word) => pattern.test(word))
  }
  const from = numbers.find((placed) => placed.from > at && isAfter(placed, /^(from|von|de|desde|da|van|nach)$/))
  if (!from) return undefined
  const isTarget = (placed: PlacedFigure) => placed.from > at && placed !== from && isAfter(placed, /^(to|auf|a|bis|para|naar|hasta)$/)
  const to = numbers.find(isTarget) ?? numbers.findLast((placed) => placed.from < at)
  if (!to || to === from || from.figure.comparison !== null || to.figure.comparison !== null) return undefined
  const [a, b] = [from.figure.subject, to.figure.subject]
  if (a.column !== b.column || a.value.kind !== 'number' || b.value.kind !== 'number') return undefined
  return compare(b.value.number, a.value.number)
}

/** The directions of all changes in a sentence, including "from {{a}} to {{b}}". */
export function shownDirections(scopes: readonly Scope[]): number[] {
  const directed = scopes.flatMap(({ figures }) => figures.filter(isDirected).map(({ figure }) => directionIn(figure)))
  const fromTo = scopes[0] && directionFromTo(-1, scopes[0], scopes)
  return fromTo === undefined ? directed : [...directed, fromTo]
}

/** A question such as "Why did revenue fall?" gives its direction, as long as no figure says otherwise. */
function isAsked({ fold }: Token, direction: number, scopes: readonly Scope[], { question, language }: Context): boolean {
  if (scopes.some(({ numbers }) => numbers.length > 0)) return false
  const asked = question.map((token) => directionOf(token.fold, language)).filter((one) => one !== undefined)
  return asked.every((one) => one === direction) && question.some((token) => isSameWord(token.fold, fold))
}
