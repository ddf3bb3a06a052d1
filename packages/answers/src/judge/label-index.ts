import type { LabelColumn, ResultView } from '../result-view.ts'
import { readTokens, type Token } from '../text/tokens.ts'
import { fold, wordSet } from '../words/fold.ts'
import { isFunctionWord } from '../words/function-words.ts'
import { directionOf } from '../words/direction-words.ts'
import { isTotalWord } from '../words/total-words.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import { isNumberWord } from '../words/number-words.ts'
import { countryNamesOf, isCountryColumn } from './country-names.ts'

/** A label as a text may spell it. */
export interface LabelEntry {
  column: LabelColumn
  key: string
  /** Must be written exactly like this, because its letters are also an ordinary word: the country "IT". */
  exact: string | null
  /**
   * Its numbers are part of a name, as in "Day Pack 20L". A cell that reads like a statement is data that somebody wrote, maybe to be
   * quoted as a fact.
   */
  isName: boolean
  /** A number by itself could be any number; it names a row only after the name of its column: "order 1017". */
  needsColumnName: boolean
}

export interface LabelIndex {
  /** By the label's words and numbers, folded and separated by spaces. */
  entries: Map<string, LabelEntry[]>
  /** How many words the longest label has. */
  maxWords: number
  /** First words of labels, to skip most places of a text quickly. */
  firstWords: Set<string>
}

/** Longer cells are texts; nobody names a row by them. */
const maxWordsOfLabel = 10
const maxLabelLength = 120

const indexes = new WeakMap<ResultView, LabelIndex>()

export function labelIndexOf(view: ResultView): LabelIndex {
  const known = indexes.get(view)
  if (known) return known
  const index: LabelIndex = { entries: new Map(), maxWords: 0, firstWords: new Set() }
  for (const column of view.labelColumns) {
    if (column.type === 'boolean' || column.column.role === 'time') continue
    const isCountry = isCountryColumn(column)
    for (const { key } of column.labels.values()) {
      const names = isCountry ? [key, ...countryNamesOf(key)] : [key]
      for (const name of names) addLabel(index, column, key, name)
    }
  }
  indexes.set(view, index)
  return index
}

/** The words and numbers of a text; punctuation does not matter. */
export const contentOf = (tokens: readonly Token[]): Token[] => tokens.filter(({ kind }) => kind === 'word' || kind === 'number')

const plainWord = /^[a-z]+$/

function addLabel(index: LabelIndex, column: LabelColumn, key: string, name: string): void {
  if (name.length > maxLabelLength) return
  // Most labels are one plain word, and there may be a hundred thousand of them.
  const words = plainWord.test(name) ? [name] : contentOf(readTokens(escapeEmphasis(name), 0, escapeEmphasis(name).length)).map((token) => token.fold)
  if (words.length === 0 || words.length > maxWordsOfLabel) return
  const joined = words.join(' ')
  const isShort = words.length === 1 && (joined.length <= 2 || isFunctionWord(joined))
  const entry: LabelEntry = { column, key, exact: isShort ? name : null, isName: isNameLike(name, words), needsColumnName: /^\p{N}/u.test(joined) || words.every((word) => isNumberWord(word, 'en') || /\p{N}/u.test(word)) }
  const those = index.entries.get(joined)
  if (those) those.push(entry)
  else index.entries.set(joined, [entry])
  index.firstWords.add(words[0]!)
  index.maxWords = Math.max(index.maxWords, words.length)
}

const maxWordsOfName = 6
/** A cell with a verb is a sentence. */
const verbs = wordSet('is are was were be been has have had will made make makes reached reach reaches hit hits equals ist sind war waren hat hatte est sont était a ont es son fue fueron è sono era é são foi foram zijn waren heeft')

function isNameLike(name: string, words: readonly string[]): boolean {
  const numbers = words.filter((word) => /\p{N}/u.test(word))
  return words.length <= maxWordsOfName && numbers.length <= 2 && !/[:;=!?{}[\]<>"]/.test(name) && words.every((word) => !verbs.has(word) && !isTotalWord(word) && unitMeaningOf(word) === undefined && directionOf(word, 'en') === undefined)
}

const escapeEmphasis = (text: string) => text.replaceAll(/[\\*_`>]/g, ' ')

/** The folded words of a column's name: `refundRate_percent` → refund, rate, percent. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(fold)
}
