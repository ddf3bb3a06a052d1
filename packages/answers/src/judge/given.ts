import type { Token } from '../text/tokens.ts'
import { isSameWord } from '../words/fold.ts'
import { isFunctionWord } from '../words/function-words.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import { endOfNumber } from './find-claims.ts'

/** The text of a number without its separators. */
export const numberKey = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[,'’\s]/g, '')

/** Whether a text contains the same tokens with the same unit and the same word before or after. */
export function isGiven(tokens: readonly Token[], from: number, to: number, text: readonly Token[]): boolean {
  const isNumber = tokens[from]!.kind === 'number'
  const key = isNumber ? numberKey(tokens, from, to) : ''
  for (let at = 0; at < text.length; at++) {
    const end = text[at]!.kind === 'number' ? endOfNumber(text, at) : at + (to - from)
    const isRepeated = isNumber ? text[at]!.kind === 'number' && numberKey(text, at, end) === key : tokens.slice(from, to).every((token, index) => text[at + index]?.fold === token.fold)
    if (isRepeated && isSameUnit(tokens, from, to, text, at, end) && isSameNeighbor(tokens, from, to, text, at, end)) return true
    if (text[at]!.kind === 'number') at = end - 1
  }
  return false
}

const unit = (tokens: readonly Token[], at: number) => unitMeaningOf(tokens[at]?.fold ?? '')

function isSameUnit(tokens: readonly Token[], from: number, to: number, text: readonly Token[], at: number, end: number): boolean {
  return unit(tokens, from - 1) === unit(text, at - 1) && unit(tokens, to) === unit(text, end) && isSameSign(tokens[from - 1], text[at - 1])
}

const signOf = (token: Token | undefined) => (token?.kind === 'mark' && /^[-−–+<>≤≥]$/.test(token.text) ? token.text : '')
const isSameSign = (a: Token | undefined, b: Token | undefined) => signOf(a) === signOf(b)

const isSame = (a: Token | undefined, b: Token | undefined) => a?.kind === 'word' && b?.kind === 'word' && isSameWord(a.fold, b.fold)
const isContent = (token: Token | undefined) => !isFunctionWord(token!.fold)

/** Prepositions and the like are beside so many numbers that one of them is not enough. */
function isSameNeighbor(tokens: readonly Token[], from: number, to: number, text: readonly Token[], at: number, end: number): boolean {
  const isBefore = isSame(tokens[from - 1], text[at - 1])
  const isAfter = isSame(tokens[to], text[end])
  // "over 20%": the unit is what is after it.
  const hasUnit = unitMeaningOf(tokens[to]?.fold ?? '') !== undefined
  return (isBefore && (isAfter || hasUnit)) || (isBefore && isContent(tokens[from - 1])) || (isAfter && isContent(tokens[to]))
}
