import type { Token } from '../text/tokens.ts'
import { calendarUnitOf } from '../words/calendar-words.ts'
import { arrowOf, comparativeOf, directionOf } from '../words/direction-words.ts'
import type { Language } from '../words/language.ts'
import { isYear } from './read-period.ts'
import { isFraction, isNumberWord } from '../words/number-words.ts'
import { wordSet } from '../words/fold.ts'
import { isAggregateWord } from '../words/aggregate-words.ts'
import { boundLength, isBoundAfter, isOr } from '../words/bound-words.ts'
import { isCurrencySign, isPercentPair, unitMeaningOf } from '../words/unit-words.ts'

/**
 * A place in a sentence that states something about quantities and is not a figure. All of these have to be proven, or given by the
 * question. `from` is its first token, `to` the one after its last.
 */
export interface Claim {
  kind:
    | 'number'
    /** A number in words, in one of the languages that are known. */
    | 'number_word'
    /** A unit beside a figure: "{{…}} million", or a currency sign anywhere. */
    | 'unit'
    /** A sign or operator beside a figure: "−{{…}}". */
    | 'sign'
    /** A limit beside a figure: "more than {{…}}". */
    | 'bound'
    | 'direction'
    /** "Average", "median". */
    | 'statistic'
    /** Words in a script whose number words are not known. */
    | 'script'
  from: number
  to: number
}

export function findClaims(tokens: readonly Token[], language: Language): Claim[] {
  const claims: Claim[] = []
  const claim = (kind: Claim['kind'], from: number, to: number) => claims.push({ kind, from, to })
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind === 'number') {
      const to = endOfNumber(tokens, at)
      claim('number', at, to)
      at = to - 1
    } else if (token.kind === 'figure') findBesideFigure(tokens, at, claim)
    else if (token.kind === 'mark') {
      if (arrowOf(token.text) !== undefined) claim('direction', at, at + 1)
      else if (isCurrencySign(token.text) || /^[%‰°]$/.test(token.text)) claim('unit', at, at + 1)
    } else {
      const spelled = endOfSpelled(tokens, at, language)
      if (spelled > at) claim('number_word', at, spelled)
      else if (directionOf(token.fold, language) !== undefined || comparativeOf(token.fold) !== undefined) claim('direction', at, at + 1)
      else if (isAggregateWord(token.fold, 'avg', language) || isAggregateWord(token.fold, 'median', language)) claim('statistic', at, at + 1)
      if (isUnknownScript(token.text)) claim('script', at, at + 1)
      if (isFactorOfCurrency(tokens, at)) claim('number_word', at, at + 1)
      if (isRomanNumeral(tokens, at)) claim('number', at, at + 1)
    }
  }
  return claims
}

/** The index after a number with its separators: `1,234.5`, `12 000`. */
export function endOfNumber(tokens: readonly Token[], at: number): number {
  let to = at + 1
  while (true) {
    const [next, afterNext] = [tokens[to], tokens[to + 1]]
    const isSeparator = next?.kind === 'mark' && !next.hasGap && /^[.,'’·:/⁄-]$/.test(next.text)
    if (next?.kind === 'number' && (!next.hasGap || /^\d{3}$/.test(next.text))) to++
    else if (isSeparator && afterNext?.kind === 'number' && !afterNext.hasGap) to += 2
    else return to
  }
}

/** The longest word that is written with hyphens or spaces between its letters. */
const maxPieces = 24

/** The index after a number in words that begins here, or `at`. Letters may be apart, as in "t w e l v e" or "twel-ve". */
function endOfSpelled(tokens: readonly Token[], at: number, language: Language): number {
  const { fold } = tokens[at]!
  if (isNumberWord(fold, language) || isOne(tokens, at) || isPart(tokens, at)) return at + 1
  let joined = fold
  for (let next = at + 1; next < Math.min(tokens.length, at + maxPieces); next++) {
    const token = tokens[next]!
    const isJoint = token.kind === 'mark' && /^[-‐‑.·_'’|/\\]$/.test(token.text) && !token.hasGap
    if (isJoint) continue
    const isLetter = joined.length === next - at || (fold.length === 1 && token.fold.length === 1)
    if (token.kind !== 'word' || (token.hasGap && !(isLetter && token.fold.length === 1))) break
    joined += token.fold
    if (joined.length > 3 && isNumberWord(joined, language)) return next + 1
  }
  return at
}

/** "One" is a number unless it stands for a noun: "one of the", "this one", "no one". */
function isOne(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.fold !== 'one') return false
  const [before, next] = [tokens[at - 1]?.fold ?? '', tokens[at + 1]?.fold ?? '']
  const isPronoun = /^(of|another|s|'|’|by|which|that|who|is|was|thing|caveat|note|question|reason)$/.test(next)
  return !isPronoun && !/^(no|any|every|each|the|this|that|which|either|another|only|by|some)$/.test(before)
}

/** "A third", "two fifths of": parts of a whole. */
function isPart(tokens: readonly Token[], at: number): boolean {
  if (!isFraction(tokens[at]!.fold)) return false
  const [before, next] = [tokens[at - 1]?.fold ?? '', tokens[at + 1]?.fold ?? '']
  if (/^(quarters?|quarto|cuarto|kwart|quart|terzo|derde|tercer)$/.test(tokens[at]!.fold)) {
    if (/^(a|one|three)$/.test(before)) return next === 'of' && !isYear(Number(tokens[at + 2]?.text))
    return /^(un|uno|um|een)$/.test(before) && calendarUnitOf(next) !== 'quarter'
  }
  return /^(a|one|two|three|four|un|une|uno|um|een)$/.test(before) || next === 'of'
}

/** "k€", "€m": thousands and millions. */
function isFactorOfCurrency(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]]
  if (!/^(k|m|b|mm|t)$/.test(token.fold)) return false
  return (before !== undefined && !token.hasGap && isCurrencySign(before.text)) || (next !== undefined && !next.hasGap && isCurrencySign(next.text))
}

const known = /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u

/** A single Greek letter is a symbol. */
const isUnknownScript = (text: string) => !known.test(text) && !/^\p{Script=Greek}$/u.test(text)

const roman = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/

/** Abbreviations and words that are also Roman numerals. With a unit they are numbers. */
const ordinaryRoman = wordSet('cc cd ci cm cv dc di dim div dl dm dvi li mc md mi mix mm vi xl')
/** "Phase II" is a name. */
const romanLeads = wordSet(
  `phase part chapter section type class level tier generation gen version volume vol war act grade stage figure table appendix project round series
   mark model title article teil kapitel stufe partie chapitre fase parte capítulo capitolo deel hoofdstuk`,
)

/** "XII" is a number, except in names. A single letter is one only after a colon: "Orders: V". */
function isRomanNumeral(tokens: readonly Token[], at: number): boolean {
  const { text, fold } = tokens[at]!
  if (!roman.test(text.toUpperCase()) || !/^(\p{Lu}+|\p{Ll}+)$/u.test(text)) return false
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  const isEnd = next === undefined || next.kind === 'mark'
  if (text.length === 1) return isEnd && /^[VXLCDM]$/.test(text) && /^[:=]$/.test(before?.text ?? '')
  if (ordinaryRoman.has(fold)) return unitMeaningOf(next?.fold ?? '') !== undefined
  // "iv)" numbers an item.
  return !romanLeads.has(before?.fold ?? '') && !(text === fold && next?.text === ')')
}

type Add = (kind: Claim['kind'], from: number, to: number) => void

/** How many words a limit has at most, with some room. */
const boundDistance = 5

function findBesideFigure(tokens: readonly Token[], at: number, claim: Add): void {
  const before = wordsBefore(tokens, at)
  const length = boundLength(before.map(({ word }) => word))
  if (length > 0 && !isHarmless(before.map(({ word }) => word), length, tokens[at + 1])) claim('bound', before.at(-length)!.at, at)
  if (isSign(tokens, at)) claim('sign', at - 1, at)
  const [next, second] = [tokens[at + 1], tokens[at + 2]]
  if (!next) return
  const operators = next.hasGap ? /^[×^÷]$/ : /^(?![|`°\p{Sc}])[\p{S}*/]$/u
  if (next.kind === 'mark' && operators.test(next.text)) claim('sign', at + 1, at + 2)
  if (next.kind === 'word' && isBoundAfter(next.fold, second?.fold)) claim('bound', at + 1, isOr(next.fold) ? at + 3 : at + 2)
  // "{{…}}-fold", "{{…}} percentage points"
  const unitAt = next.kind === 'mark' && /^[-‐‑]$/.test(next.text) && !next.hasGap ? at + 2 : at + 1
  const unit = tokens[unitAt]
  if (!unit) return
  if (tokens[unitAt + 1] && isPercentPair(unit.fold, tokens[unitAt + 1]!.fold)) claim('unit', unitAt, unitAt + 2)
  else if (unit.kind === 'word' && (unitMeaningOf(unit.fold) !== undefined || unit.fold === 'fold')) claim('unit', unitAt, unitAt + 1)
  const sign = tokens[at - 1]
  if (sign?.kind === 'word' && /^(eur|euro|usd|gbp|chf|jpy|us|rs|inr|sek|nok|dkk|pln)$/.test(sign.fold)) claim('unit', at - 1, at)
}

/** "Adds up to", and "over {{…}} weeks", which lasts. */
function isHarmless(before: string[], length: number, next: Token | undefined): boolean {
  const phrase = before.slice(-length).join(' ')
  if (phrase === 'up to') return /^(add|adds|added|adding|sum|sums|summed)$/.test(before.at(-3) ?? '')
  return /^(over|uber|sur)$/.test(phrase) && next?.kind === 'word' && calendarUnitOf(next.fold) !== undefined
}

/** The words right before a token, the nearest last, with their places. */
export function wordsBefore(tokens: readonly Token[], at: number): { word: string; at: number }[] {
  const words: { word: string; at: number }[] = []
  for (let place = at - 1; place >= 0 && words.length < boundDistance; place--) {
    const token = tokens[place]!
    if (token.kind === 'mark' && /^['’"“„(]$/.test(token.text)) continue
    if (token.kind !== 'word') break
    words.unshift({ word: token.fold, at: place })
  }
  return words
}

/** Whether the character before a figure changes its value. A dash between words does not. */
function isSign(tokens: readonly Token[], at: number): boolean {
  const [sign, before, figure] = [tokens[at - 1], tokens[at - 2], tokens[at]!]
  if (sign?.kind !== 'mark') return false
  if (/^[−+±<>≤≥≪≫×÷^*/=≠¬∼]$/.test(sign.text)) return true
  if (!/^[-–‐‑]$/.test(sign.text)) return false
  // "Revenue – {{…}}" and "{{…}}–{{…}}" are not negative.
  const isBetweenFigures = before?.kind === 'figure'
  const isDash = sign.hasGap && figure.hasGap && before?.kind === 'word'
  return !isBetweenFigures && !isDash
}
