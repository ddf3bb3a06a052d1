import type { Sentence } from '../text/outline.ts'
import { languageOf } from '../words/language.ts'
import type { Token } from '../text/tokens.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import type { Context } from './context.ts'
import { type Claim, findClaims } from './find-claims.ts'
import { findNone } from './find-none.ts'
import { judgeClaim } from './judge-claims.ts'
import { shownDirections } from './judge-direction.ts'
import { judgeFigure } from './judge-figure.ts'
import { judgeNone } from './judge-none.ts'
import { judgePeriod } from './judge-periods.ts'
import { readScopes, type Scope } from './scope.ts'

/** What is not proven in a text. */
export interface Verdicts {
  /** Places in the Markdown that are not figures. */
  strikes: Strike[]
  /** Reasons by the index of the figure. */
  figureReasons: Map<number, string>
}

export interface Strike {
  start: number
  end: number
  reason: string
}

export function judgeText(sentences: readonly Sentence[], context: Context): Verdicts {
  const verdicts: Verdicts = { strikes: [], figureReasons: new Map() }
  for (const sentence of sentences) {
    const language = languageOf(sentence.tokens.map(({ fold }) => fold)) ?? context.language
    judgeSentence(sentence, { ...context, language }, verdicts)
  }
  return verdicts
}

/** Nobody writes sentences of this length. Comparing all their parts with each other would take too long. */
const maxTokens = 600

function judgeSentence(sentence: Sentence, context: Context, verdicts: Verdicts): void {
  const { tokens } = sentence
  const { strikes, figureReasons } = verdicts
  if (tokens.length === 0) return
  if (tokens.length > maxTokens) return strikeAll(tokens, context, verdicts)
  const scopes = readScopes(sentence, context)
  const scopeAt = (at: number): Scope => scopes.find(({ clause }) => at < clause.to) ?? scopes.at(-1)!
  const strike = (from: number, to: number, reason: string) => strikes.push({ start: tokens[from]!.start, end: tokens[to - 1]!.end, reason })
  const mentions = context.mentionsIn(tokens)
  for (const mention of mentions) {
    const reason = mention.period && judgePeriod(mention, scopeAt(mention.from), scopes, context)
    if (reason) strike(mention.from, mention.to, reason)
  }
  // Numbers and words that are part of a label or a period are judged with it.
  const names = mentions.filter(({ coversNumbers }) => coversNumbers)
  const isCovered = ({ from, to }: { from: number; to: number }) => names.some((name) => name.from <= from && to <= name.to)
  for (const claim of findClaims(tokens, context.language)) {
    if (isCovered(claim)) continue
    const reason = judgeClaim(claim, scopeAt(claim.from), scopes, context)
    if (reason === null) continue
    const { from, to } = claim.kind === 'number' || claim.kind === 'number_word' ? withUnit(tokens, claim) : claim
    strike(from, to, reason)
  }
  context.directions.set(tokens, new Set(shownDirections(scopes)))
  for (const scope of scopes) {
    for (const placed of scope.figures) {
      const reason = judgeFigure(placed, scope, context)
      if (reason !== null) figureReasons.set(placed.index, reason)
    }
  }
  for (const place of findNone(tokens, context)) {
    const reason = isCovered(place) ? null : judgeNone(place, scopes, context, ({ index }) => figureReasons.has(index))
    if (reason !== null) strike(place.from, place.to, reason)
  }
}

function strikeAll(tokens: Token[], context: Context, { strikes, figureReasons }: Verdicts): void {
  const reason = 'The sentence is too long to be checked.'
  for (const { from, to } of [...findClaims(tokens, context.language), ...findNone(tokens, context)]) {
    strikes.push({ start: tokens[from]!.start, end: tokens[to - 1]!.end, reason })
  }
  for (const { kind, figure } of tokens) if (kind === 'figure') figureReasons.set(figure, reason)
}

const isSign = (token: Token | undefined) => token?.kind === 'mark' && /^[-−–+±≈<>≤≥#\p{Sc}]$/u.test(token.text)
const isUnit = (token: Token | undefined) => token !== undefined && token.kind !== 'figure' && unitMeaningOf(token.fold) !== undefined

/** A number that is struck takes its sign and its unit with it. */
function withUnit(tokens: readonly Token[], { from, to }: Claim): { from: number; to: number } {
  let start = from
  while (isSign(tokens[start - 1]) && (!tokens[start]!.hasGap || isUnit(tokens[start - 1]))) start--
  let end = to
  while (isUnit(tokens[end])) end++
  return { from: start, to: end }
}
