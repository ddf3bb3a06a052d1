import { createHash } from 'node:crypto'

/**
 * The words by which tables, metrics and saved queries are found: without case and accents, split at everything that is neither a letter
 * nor a digit, and where `camelCase` begins a new word. A question matches a word by its beginning, without a plural `s`, so that
 * *customers* finds `customer_id`. This needs no dictionary and works in most languages.
 *
 * In the store, every word begins with a sign of the organization, as in the SQL function `search_lexemes`.
 */
export function wordsIn(text: string): string[] {
  const plain = text
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const words = plain.split(/[^0-9a-z\u00c0-\u1fff\u2c00-\u{10ffff}]+/u).filter((word) => word !== '')
  return [...new Set(words.map((word) => word.slice(0, 40)))]
}

/** Texts by weight, from those that count most. */
export type WeightedTexts = Partial<Record<'A' | 'B' | 'C' | 'D', string>>

/** A very wide table has thousands of words. */
const wordsMax = 2_000

/** The words of the texts, as the text of a `tsvector`. A word has the highest of its weights. */
export function weightedWords(organizationId: string, texts: WeightedTexts): string {
  const sign = signOf(organizationId)
  const weights = new Map<string, string>()
  for (const weight of ['A', 'B', 'C', 'D'] as const) {
    for (const word of wordsIn(texts[weight] ?? '')) if (!weights.has(word)) weights.set(word, weight)
  }
  return [...weights].slice(0, wordsMax).map(([word, weight]) => `'${sign}${word}':1${weight}`).join(' ')
}

/** Enough for a question. The first words of long instructions say what they are about. */
const askedMax = 16

/** The beginnings of words that a question asks for, without words that every question has. */
export function askedWords(text: string): string[] {
  const words = wordsIn(text).filter((word) => word.length > 1 && !commonWords.has(word))
  return [...new Set(words.map(withoutPlural))].slice(0, askedMax)
}

/** Each as a `tsquery` that matches words with this beginning. */
export function prefixQueries(organizationId: string, words: string[]): string[] {
  const sign = signOf(organizationId)
  return words.map((word) => `'${sign}${word}':*`)
}

const signOf = (organizationId: string) => createHash('md5').update(organizationId).digest('hex').slice(0, 6)

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return word.slice(0, -3)
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

const commonWords = new Set(
  (
    'a about above after all also am an and any are as at be because been before being between both but by can compare compared could did ' +
    'do does doing each else every few for from get give had has have having he her here his how i if in into is it its just last let list ' +
    'many may me more most much must my next no not now of off on once one only or other our out over own per please previous same see ' +
    'she should show since so some such tell than that the their them then there these they this those through to too under until up us ' +
    'use using very was we were what when where which while who whom why will with would you your'
  ).split(' '),
)
