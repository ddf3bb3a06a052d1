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
  if (shown !== undefined) return (isNegated ? shown === 0 || shown === -direction : shown === direction) ? null : 'The figures show another direction.'
  const isRepeated = scope.sentence.tokens.every(({ kind }) => kind !== 'figure') && scope.frames.some(({ kind, tokens: those }) => kind === 'before' && context.directions.get(those)?.has(direction))
  return isRepeated || isAsked(token, direction, scopes, context) ? null : 'No figure in this sentence shows this direction.'
}

/** "More" claims something only before "than", beside a figure or before what is measured. */
function isComparison(tokens: readonly Token[], at: number, { views, namesIn }: Context): boolean {
  const next = tokens[at + 1]
  if (tokens[at - 1]?.kind === 'figure' || next?.kind === 'figure') return true
  if (/^(than|als|que|di|de|do|dan)$/.test(next?.fold ?? '')) return /^(than|als|que|dan)$/.test(next!.fold) || tokens[at + 2]?.kind === 'figure'
  return next?.kind === 'word' && views.some((view) => namesIn(tokens as Token[], view).some(({ from, isMeasure }) => isMeasure && from === at + 1))
}

function isPartOfPhrase(tokens: readonly Token[], at: number): boolean {
  const [before, { fold }, next] = [tokens[at - 1]?.fold ?? '', tokens[at]!, tokens[at + 1]?.fold ?? '']
  // A limit is judged with its number.
  const isLimit = /^(than|als|que|de|di|dan)$/.test(next) && tokens[at + 2]?.kind === 'number'
  const isGroup = isRelativeSize(fold) && /^(the|our|your|their|these|those)$/.test(before) && /^[a-z]/.test(next) && !/^(than|in|by|at|of)$/.test(next)
  return isLimit || isGroup || (fold === 'up' && next === 'to') || ((fold === 'up' || fold === 'down') && isPhrasal(before)) || (fold === 'up' && before === '-')
}

/** Words of column names and titles are names: `growth_rate`. */
const isName = ({ fold }: Token, { views }: Context) =>
  views.some(({ columns, result }) => [...columns.map(({ name }) => name), result.title ?? ''].some((name) => wordsOfName(name).some((word) => isSameWord(word, fold))))

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
  const to = numbers.find((placed) => placed.from > at && placed !== from && isAfter(placed, /^(to|auf|a|bis|para|naar|hasta)$/)) ?? numbers.findLast((placed) => placed.from < at)
  if (!to || to === from) return undefined
  const [a, b] = [from.figure.subject, to.figure.subject]
  if (a.column !== b.column || a.value.kind !== 'number' || b.value.kind !== 'number' || from.figure.comparison !== null || to.figure.comparison !== null) return undefined
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
