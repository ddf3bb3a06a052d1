import type { Token } from '../text/tokens.ts'
import { isNegation } from '../words/direction-words.ts'
import { isSameWord } from '../words/fold.ts'
import { isFunctionWord, isSignificant } from '../words/function-words.ts'
import { isAnyWord, isNoneDeterminer, isNonePronoun } from '../words/none-words.ts'
import { isRowWord } from './column-names.ts'
import type { Context } from './context.ts'

/** Words for none. `from` is the first token, `to` the one after the last. */
export interface NonePlace {
  from: number
  to: number
}

/** Finds the places that say that there is none of something: "nobody", "not a single", "no orders". */
export function findNone(tokens: Token[], context: Context): NonePlace[] {
  const places: NonePlace[] = []
  for (let at = 0; at < tokens.length; at++) {
    const to = endOfNone(tokens, at, context)
    if (to === at) continue
    places.push({ from: at, to })
    at = to - 1
  }
  return places
}

/** The index after the words for none that begin here, or `at`. */
function endOfNone(tokens: Token[], at: number, context: Context): number {
  const { fold } = tokens[at]!
  const phrase = fold === 'no' || fold === 'not' ? endOfPhrase(tokens, at) : at
  if (phrase > at) return phrase
  if (isNonePronoun(fold, context.language) && !isHarmless(tokens, at)) return at + 1
  if (isNoneDeterminer(fold) || (isAnyWord(fold) && isAfterNegation(tokens, at))) return endOfCounted(tokens, at, context)
  return at
}

const words = (tokens: readonly Token[], from: number, count: number) =>
  tokens
    .slice(from, from + count)
    .map(({ fold }) => fold)
    .join(' ')

/** "No one", "not one", "not even one", "not a single". */
function endOfPhrase(tokens: readonly Token[], at: number): number {
  if (/^not? one$/.test(words(tokens, at, 2))) return at + 2
  return /^(no [-‐‑] one|not even one|not (a|one) single)$/.test(words(tokens, at, 3)) ? at + 3 : at
}

/** "I never guess" and "nothing to compare with" are about the answer. */
function isHarmless(tokens: readonly Token[], at: number): boolean {
  const { fold } = tokens[at]!
  if (fold === 'never') return tokens.slice(Math.max(0, at - 3), at).some((token) => token.text === 'I')
  return fold === 'nothing' && /^(to|else|about|more)$/.test(tokens[at + 1]?.fold ?? '')
}

const negationDistance = 5

const isAfterNegation = (tokens: readonly Token[], at: number) =>
  tokens.slice(Math.max(0, at - negationDistance), at).some(({ fold }) => isNegation(fold))

/** How many words may be before the noun: "no single new customer". */
const nounDistance = 3

/** The index after what is counted, or `at` if something else follows: "no column for it". */
function endOfCounted(tokens: Token[], at: number, context: Context): number {
  for (let noun = at + 1; noun <= at + nounDistance; noun++) {
    const token = tokens[noun]
    if (token?.kind !== 'word' || isRowWord(token.fold)) return at
    if (isCounted(tokens, noun, context)) return noun + 1
    if (isFunctionWord(token.fold) && !isAnyWord(token.fold)) return at
  }
  return at
}

/** Whether a word names a column of a result, or something that the question asks about. */
function isCounted(tokens: Token[], at: number, { views, namesIn, question }: Context): boolean {
  if (views.some((view) => namesIn(tokens, view).some(({ from, to }) => from <= at && at < to))) return true
  const { fold } = tokens[at]!
  return isSignificant(fold) && !isFunctionWord(fold) && question.some((token) => token.kind === 'word' && isSameWord(token.fold, fold))
}
