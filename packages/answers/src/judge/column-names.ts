import type { Column } from '../classify-columns.ts'
import type { ResultView } from '../result-view.ts'
import type { Token } from '../text/tokens.ts'
import { fold, isSameWord } from '../words/fold.ts'
import { isSignificant } from '../words/function-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import { wordsOfName } from './label-index.ts'

/** What a figure is a figure of: a column, or the number of rows. */
export type Subject = Column | 'rows'

/** A place in a text that names columns. Words that several columns share name all of them: "customers". */
export interface NameMention {
  from: number
  to: number
  subjects: Set<Subject>
  /** Whether it may name something that is measured, rather than only what rows are named by. */
  isMeasure: boolean
}

interface Name {
  subject: Subject
  isMeasure: boolean
  /** For each word of the name, all words that may be used for it. */
  words: { alternatives: readonly string[]; isSignificant: boolean }[]
  /** The name says nothing, as in `value` or `n`. */
  isGeneric: boolean
}

export type Synonyms = Readonly<Record<string, readonly string[]>>

const rowWords = ['rows', 'row', 'records', 'entries', 'lines', 'zeilen', 'eintrage', 'lignes', 'filas', 'righe', 'linhas', 'rijen']

/** Whether a folded word stands for the rows of a result. */
export const isRowWord = (word: string): boolean => rowWords.includes(word)

interface NameIndex {
  synonyms: Synonyms
  names: Name[]
  /** What a word matches, for the words that were looked up. */
  matches: Map<string, Match[]>
}

const indexes = new WeakMap<ResultView, NameIndex>()
const maxMatches = 10_000

function indexOf(view: ResultView, synonyms: Synonyms): NameIndex {
  const known = indexes.get(view)
  if (known?.synonyms === synonyms && known.matches.size < maxMatches) return known
  const made = { synonyms, names: makeNames(view, synonyms), matches: new Map<string, Match[]>() }
  indexes.set(view, made)
  return made
}

/** Whether a column's name says nothing about what it holds, as `value` or `n`. */
export const isGeneric = (view: ResultView, subject: Subject, synonyms: Synonyms): boolean =>
  indexOf(view, synonyms).names.some((name) => name.subject === subject && name.isGeneric)

function makeNames({ columns, result }: ResultView, synonyms: Synonyms): Name[] {
  const named = columns.map((column): Name => {
    const words = wordsOfName(column.name)
    const given = synonymWords(column.name, synonyms)
    const shown = words.filter((word) => isSignificant(word))
    return {
      subject: column,
      isMeasure: column.role === 'measure' || column.role === 'level' || column.role === 'aside',
      words: [
        ...words.map((word) => ({ alternatives: synonymsOf(word), isSignificant: isSignificant(word) })),
        ...(given.length > 0 ? [{ alternatives: given, isSignificant: true }] : []),
      ],
      isGeneric: shown.length === 0 && given.length === 0,
    }
  })
  const keyWords = named.filter(({ isMeasure }) => !isMeasure).flatMap(({ words }) => words.filter((word) => word.isSignificant))
  const titleWords = wordsOfName(result.title ?? '').filter(isSignificant)
  const rows: Name = {
    subject: 'rows',
    isMeasure: false,
    words: [...keyWords, { alternatives: [...rowWords, ...titleWords.flatMap((word) => synonymsOf(word))], isSignificant: true }],
    isGeneric: true,
  }
  return [...named, rows]
}

/** The words that an organization also uses for a column. Its names are compared by their significant words: `net_revenue_eur` is "Net revenue". */
function synonymWords(column: string, synonyms: Synonyms): string[] {
  const key = keyOf(column)
  if (key === '') return []
  const texts = Object.entries(synonyms).flatMap(([name, others]) => (keyOf(name) === key ? others : []))
  return texts.flatMap(wordsOfName).filter(isSignificant)
}

const keyOf = (name: string) => wordsOfName(name).filter(isSignificant).join(' ')

/** Words between two parts of one name: "number of orders", "revenue per order". */
const isJoint = ({ fold: word }: Token) => /^(of|per|de|d|des|du|der|di|do|da|van|pro|['’_-])$/.test(word)

export function findNames(tokens: readonly Token[], view: ResultView, synonyms: Synonyms): NameMention[] {
  const index = indexOf(view, synonyms)
  const matching = tokens.map((token) => (token.kind === 'word' ? matchesIn(index, token.fold) : none))
  const mentions: NameMention[] = []
  for (let at = 0; at < tokens.length; ) {
    if (matching[at]!.length === 0) {
      at++
      continue
    }
    let to = at + 1
    while (to < tokens.length) {
      if (matching[to]!.length > 0) to++
      else if (isJoint(tokens[to]!) && (matching[to + 1]?.length ?? 0) > 0) to += 2
      else break
    }
    const mention = nameOf(matching.slice(at, to).flat(), at, to)
    if (mention) mentions.push(mention)
    at = to
  }
  return mentions
}

interface Match {
  name: Name
  word: Name['words'][number]
}

const none: Match[] = []

function matchesIn({ names, matches }: NameIndex, word: string): Match[] {
  const known = matches.get(word)
  if (known) return known
  const found = names.flatMap((name) => matchesOf(name, word))
  matches.set(word, found)
  return found
}

function matchesOf(name: Name, word: string): Match[] {
  const found = name.words.filter(({ alternatives }) => alternatives.some((alternative) => isSameWord(alternative, word)))
  return found.map((one) => ({ name, word: one }))
}

function nameOf(matches: Match[], from: number, to: number): NameMention | undefined {
  const scores = new Map<Name, Set<Match['word']>>()
  for (const { name, word } of matches) scores.set(name, (scores.get(name) ?? new Set()).add(word))
  const significant = [...scores].filter(([name, words]) => name.isGeneric || [...words].some((word) => word.isSignificant))
  if (significant.length === 0) return undefined
  const most = Math.max(...significant.map(([name, words]) => (name.subject === 'rows' ? 1 : words.size)))
  // The words for rows are those of several columns, so their number says nothing.
  const best = significant.filter(([name, words]) => name.subject === 'rows' || words.size === most).map(([name]) => name)
  return { from, to, subjects: new Set(best.map(({ subject }) => subject)), isMeasure: best.some(({ isMeasure }) => isMeasure) }
}

/** The significant words of a title. */
export const titleWordsOf = ({ result }: ResultView): string[] => wordsOfName(result.title ?? '').filter((word) => isSignificant(fold(word)))
