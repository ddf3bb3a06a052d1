import type { Comparison } from '../expressions/expression.ts'
import type { LabelColumn } from '../result-view.ts'
import type { Token } from '../text/tokens.ts'
import { calendarUnitOf, isBeforeWord, isLastWord, isPreviousWord } from '../words/calendar-words.ts'
import { wordSet } from '../words/fold.ts'
import { isFunctionWord } from '../words/function-words.ts'
import type { Mention } from './find-mentions.ts'

export type Labels = ReadonlySet<string>

export const isSameSet = (a: Labels, b: Labels): boolean => a.size === b.size && isSubset(a, b)
export const isSubset = (a: Labels, b: Labels): boolean => a.size <= b.size && [...a].every((key) => b.has(key))

/** One or more mentions of a column's labels that are read together: "Germany and France", "from March to May". */
export interface Group {
  from: number
  to: number
  mentions: Mention[]
}

const exclusions = wordSet('except excluding outside without other besides beyond not non ausser ohne sauf hors excepto salvo fuera eccetto tranne fuori exceto exclui behalve buiten')
const onward = wordSet('since from after starting seit ab depuis desde da dal dalla a partir vanaf sinds')
const backward = wordSet('until till before through up bis vor avant jusqu hasta antes fino prima ate voor tot')

const wordsBefore = (tokens: readonly Token[], at: number, count: number) => tokens.slice(Math.max(0, at - count), at).map(({ fold }) => fold)

/** Whether a group names exactly these labels of a column. `labels` of undefined are all of them. */
export function names(group: Group, column: LabelColumn, labels: Labels | undefined, tokens: readonly Token[]): boolean {
  const sets = group.mentions.map((mention) => mention.labels.get(column)!)
  const union: Labels = sets.length === 1 ? sets[0]! : new Set(sets.flatMap((set) => [...set]))
  const isWanted = (named: Labels) => (labels ? isSameSet(labels, named) : named.size === column.labels.size)
  const before = wordsBefore(tokens, group.from, 3)
  if (column.type !== 'boolean' && before.some((word) => exclusions.has(word))) return isWanted(new Set([...column.labels.keys()].filter((key) => !union.has(key))))
  return isWanted(union) || (column.column.role === 'time' && isSpan(sets, column, isWanted, before))
}

/** "From March to May", "since March", "until May". */
function isSpan(sets: Labels[], column: LabelColumn, isWanted: (labels: Labels) => boolean, before: string[]): boolean {
  const isOnward = before.slice(-2).some((word) => onward.has(word))
  const isBackward = before.slice(-2).some((word) => backward.has(word))
  if (sets.length > 2 || sets.some((set) => set.size === 0) || (sets.length === 1 && !isOnward && !isBackward)) return false
  const sorted = sortedKeys(column)
  const places = sets.map((set) => [...set].map((key) => sorted.indexOf(key)))
  const isRun = (from: number, to: number) => isWanted(new Set(sorted.slice(from, to + 1)))
  if (sets.length === 2) return isRun(Math.min(...places[0]!), Math.max(...places[1]!))
  if (isOnward) return isRun(Math.min(...places[0]!), sorted.length - 1)
  return isRun(0, Math.max(...places[0]!)) || isRun(0, Math.min(...places[0]!) - 1)
}

/** Whether a group names more than these labels: "2025" for a month of that year. */
export const isWider = (group: Group, column: LabelColumn, labels: Labels): boolean =>
  group.mentions.some((mention) => {
    const set = mention.labels.get(column)!
    return set.size > labels.size && isSubset(labels, set)
  })

const sortedMemory = new WeakMap<LabelColumn, string[]>()

/** The labels of a time column in the order of time. */
export function sortedKeys(column: LabelColumn): string[] {
  const known = sortedMemory.get(column)
  if (known) return known
  const sorted = [...column.labels.values()].sort((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0)).map(({ key }) => key)
  sortedMemory.set(column, sorted)
  return sorted
}

/** Between mentions that are read together. */
const isLink = ({ text, fold }: Token) => /^[,/&–—\-"“”'‘’()]$/.test(text) || /^(and|or|to|through|until|und|oder|bis|et|ou|a|y|o|hasta|e|al|ate|en|of|tot|the|in|der|die|das|den|of|from|vom|zum|zur|du|del|la|week|weeks|woche|semaine|semana|settimana|month|day)$/.test(fold)

/** The mentions of a column, those that are read together as one group. */
export function groupMentions(mentions: readonly Mention[], tokens: readonly Token[]): Group[] {
  const groups: Group[] = []
  for (const mention of mentions) {
    const last = groups.at(-1)
    const between = last && tokens.slice(last.to, mention.from)
    if (last && between!.length > 0 && between!.length <= 6 && between!.every(isLink)) {
      last.mentions.push(mention)
      last.to = mention.to
    } else groups.push({ from: mention.from, to: mention.to, mentions: [mention] })
  }
  return groups
}

const baseMarkers = wordSet(
  `from since than versus vs against compared over relative as that those behind ahead
   gegenüber als verglichen vergleich seit vorher contre depuis par rapport que comparé frente respecto desde comparado comparación rispetto da dal che contro
   face desde relação vergeleken dan ten opzichte sinds`,
)

/** How far before a mention a word may be that makes it the base of a comparison: "compared with the one in March". */
const markerDistance = 5

/**
 * Whether a mention is what something is compared with: "from November", "than France". "Of" marks the whole of a share and the base of
 * a ratio: "… that of France".
 */
export function isBase(tokens: readonly Token[], { from }: { from: number }, comparison: Comparison['kind'] | null = null): boolean {
  for (let at = from - 1; at >= Math.max(0, from - markerDistance); at--) {
    const token = tokens[at]!
    if (token.kind === 'word' && isMarker(token.fold, tokens[at + 1]?.fold ?? '', comparison)) return true
    if (token.kind === 'word' && comparison !== 'ratio' && /^(to|bis|a|hasta|ate|tot|nach)$/.test(token.fold)) return false
    if (token.kind === 'mark' && /^[,;:.()|]$/.test(token.text)) return false
    if (token.kind === 'word' && !isFunctionWord(token.fold) && calendarUnitOf(token.fold) === undefined) return false
  }
  return false
}

function isMarker(word: string, next: string, comparison: Comparison['kind'] | null): boolean {
  const isOf = /^(of|von|der|des|du|de|del|di|do|van)$/.test(word)
  if (comparison === 'share') return isOf
  // "As many" is about what is compared, "as in March" about its base.
  if (word === 'as' && /^(many|much|few|little|high|large)$/.test(next)) return false
  return baseMarkers.has(word) || (comparison === 'ratio' && isOf)
}

/** A base that is named by its distance: "the week before", "the previous month", "year over year". */
export interface RelativeBase {
  from: number
  to: number
  unit: NonNullable<ReturnType<typeof calendarUnitOf>>
}

const pairsOverUnits = new Map([['mom', 'month'], ['wow', 'week'], ['yoy', 'year'], ['qoq', 'quarter'], ['dod', 'day']] as const)

export function findRelativeBases(tokens: readonly Token[]): RelativeBase[] {
  const found: RelativeBase[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word') continue
    const short = pairsOverUnits.get(token.fold as 'mom')
    if (short) found.push({ from: at, to: at + 1, unit: short })
    const unit = calendarUnitOf(token.fold)
    if (!unit) continue
    const next = tokens[at + 1]
    if (next && (isBeforeWord(next.fold) || isPreviousWord(next.fold) || isLastWord(next.fold))) found.push({ from: at, to: at + 2, unit })
    else if (tokens[at - 1] && (isPreviousWord(tokens[at - 1]!.fold) || isLastWord(tokens[at - 1]!.fold))) found.push({ from: at - 1, to: at + 1, unit })
    else if (isOver(tokens, at)) found.push({ from: at, to: at + (tokens[at + 1]!.kind === 'mark' ? 5 : 3), unit })
  }
  return found
}

/** "month over month", "month-over-month". */
function isOver(tokens: readonly Token[], at: number): boolean {
  const words = tokens.slice(at, at + 5).filter(({ text }) => text !== '-')
  return words[1]?.fold === 'over' && words[2]?.fold === words[0]?.fold
}

/** Whether `base` is the label of a time column one unit before `subject`. */
export function isUnitBefore(column: LabelColumn, base: Labels, subject: Labels, unit: RelativeBase['unit']): boolean {
  if (base.size !== 1 || subject.size !== 1) return false
  const [from, to] = [base, subject].map(([key]) => column.labels.get(key!)?.timeMs)
  if (from === undefined || to === undefined) return false
  const [a, b] = [new Date(from), new Date(to)]
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
  const days = (to - from) / 86_400_000
  const isSameDay = a.getUTCDate() === b.getUTCDate()
  switch (unit) {
    case 'hour':
      return days * 24 === 1
    case 'day':
      return days === 1
    case 'week':
      return days === 7
    case 'month':
      return months === 1 && isSameDay
    case 'quarter':
      return months === 3 && isSameDay
    case 'year':
      return months === 12 && isSameDay || days === 364
  }
}
