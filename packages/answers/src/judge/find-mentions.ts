import type { LabelColumn, ResultView } from '../result-view.ts'
import type { Token } from '../text/tokens.ts'
import { calendarUnitOf } from '../words/calendar-words.ts'
import { isSameWord, wordSet } from '../words/fold.ts'
import { isNegation } from '../words/direction-words.ts'
import { isFunctionWord } from '../words/function-words.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import type { ComputedFigure } from '../expressions/compute-figure.ts'
import { labelKey } from '../result-view.ts'
import { findNames, type Synonyms } from './column-names.ts'
import { type LabelEntry, labelIndexOf, wordsOfName } from './label-index.ts'
import { isInPeriod, isYear, type Period, type PeriodOptions, readPeriod } from './read-period.ts'

/**
 * A *mention* is a place in a text that names rows: a label, a period, or a figure that prints a label. It names a set of labels in
 * each column that it may refer to: "2025" names all months of that year.
 */
export interface Mention {
  /** Its first token, and the one after its last. */
  from: number
  to: number
  labels: Map<LabelColumn, Set<string>>
  period: Period | null
  isFigure: boolean
  /** Whether numbers inside of it are part of a name, so that they claim nothing. */
  coversNumbers: boolean
}

export interface MentionOptions extends PeriodOptions {
  views: readonly ResultView[]
  synonyms: Synonyms
  /** The figure of a token, if it was computed. */
  figureOf: (index: number) => ComputedFigure | undefined
}

export function findMentions(tokens: readonly Token[], options: MentionOptions): Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < tokens.length; ) {
    const found =
      readFigureLabel(tokens, at, options) ??
      readLabel(tokens, at, options) ??
      readPeriodMention(tokens, at, options) ??
      readBoolean(tokens, at, options)
    if (found) mentions.push(found)
    at = found ? found.to : at + 1
  }
  return mentions
}

function readFigureLabel(tokens: readonly Token[], at: number, { figureOf }: MentionOptions): Mention | undefined {
  const token = tokens[at]!
  const figure = token.kind === 'figure' ? figureOf(token.figure) : undefined
  if (!figure || figure.comparison !== null || !isLabelFigure(figure)) return undefined
  const { subject } = figure
  const column = subject.view.labelColumns.find((one) => one.column === subject.column)
  if (!column) return undefined
  const labels = new Map([[column, new Set([figure.value])]])
  return { from: at, to: at + 1, labels, period: null, isFigure: true, coversNumbers: false }
}

/** Whether a figure prints a label rather than a number. */
export const isLabelFigure = ({ subject }: ComputedFigure): boolean =>
  subject.operand.kind !== 'count' && subject.operand.kind !== 'rows' && (subject.value.kind === 'cell' || subject.column?.role === 'key')

const isContent = ({ kind }: Token) => kind === 'word' || kind === 'number'

function readLabel(tokens: readonly Token[], at: number, options: MentionOptions): Mention | undefined {
  const { views } = options
  const first = tokens[at]!
  if (!isContent(first)) return undefined
  let best: { to: number; entries: LabelEntry[] } | undefined
  for (const view of views) {
    const index = labelIndexOf(view)
    const isPlural = first.fold.endsWith('s') && index.firstWords.has(first.fold.slice(0, -1))
    if (!index.firstWords.has(first.fold) && !isPlural) continue
    let joined = ''
    let words = 0
    for (let end = at; end < tokens.length && words < index.maxWords; end++) {
      const token = tokens[end]!
      if (token.kind === 'figure') break
      if (!isContent(token)) continue
      words++
      joined = words === 1 ? token.fold : `${joined} ${token.fold}`
      const singular = words === 1 && isPlural ? index.entries.get(joined.slice(0, -1)) : undefined
      const entries = (index.entries.get(joined) ?? singular)?.filter((entry) => isWritten(entry, tokens, at, end))
      if (!entries || entries.length === 0) continue
      if (!best || end + 1 > best.to) best = { to: end + 1, entries: [...entries] }
      else if (end + 1 === best.to) best.entries.push(...entries)
    }
  }
  if (!best) return undefined
  const labels = new Map<LabelColumn, Set<string>>()
  for (const { column, key } of best.entries) labels.set(column, (labels.get(column) ?? new Set()).add(key))
  const coversNumbers = best.entries.some(({ isName }) => isName) && !namesMeasure(tokens.slice(at, best.to), options)
  return { from: at, to: best.to, labels, period: null, isFigure: false, coversNumbers }
}

/** A cell such as “Revenue 500” would state a figure, so its numbers need proof like any others. */
function namesMeasure(label: readonly Token[], { views, synonyms }: MentionOptions): boolean {
  if (!label.some(({ kind }) => kind === 'number')) return false
  return views.some((view) => findNames(label, view, synonyms).some(({ isMeasure }) => isMeasure))
}

/** How far before a bare number the name of its column may be. */
const nameDistance = 3

function isWritten({ exact, needsColumnName, column }: LabelEntry, tokens: readonly Token[], from: number, last: number): boolean {
  if (exact !== null && (from !== last || tokens[from]!.text !== exact || !/^\p{Lu}/u.test(exact))) return false
  if (!needsColumnName) return true
  const names = wordsOfName(column.column.name).filter((name) => name.length > 2)
  const before = tokens.slice(Math.max(0, from - nameDistance), from)
  const isNear = before.some(({ fold }) => names.some((name) => isSameWord(name, fold)))
  // A unit after it makes it a quantity.
  return isNear && unitMeaningOf(tokens[last + 1]?.fold ?? '') === undefined
}

/** A boolean column is named by its own words: "members" is true, "non-members" is false. */
function readBoolean(tokens: readonly Token[], at: number, { views }: MentionOptions): Mention | undefined {
  const token = tokens[at]!
  if (token.kind !== 'word') return undefined
  const labels = new Map<LabelColumn, Set<string>>()
  for (const { labelColumns } of views) {
    for (const column of labelColumns) {
      if (column.type !== 'boolean') continue
      const names = wordsOfName(column.column.name).filter((word) => word.length > 2 && !/^(is|has|was|are)$/.test(word))
      if (!names.some((name) => isSameWord(name, token.fold))) continue
      const isNegated = tokens.slice(Math.max(0, at - 3), at).some(({ fold }) => isNegation(fold) || fold === 'non')
      labels.set(column, new Set([isNegated ? 'false' : 'true']))
    }
  }
  return labels.size > 0 ? { from: at, to: at + 1, labels, period: null, isFigure: false, coversNumbers: false } : undefined
}

function readPeriodMention(tokens: readonly Token[], at: number, options: MentionOptions): Mention | undefined {
  const found = readPeriod(tokens, at, options)
  if (!found) return undefined
  const { period, to } = found
  const isOnlyYear = to === at + 1 && isYear(period.year) && tokens[at]!.kind === 'number'
  if (isOnlyYear && !readsAsYear(tokens, at)) return undefined
  const named = period.day !== undefined && isAfterWeek(tokens, at) ? { ...period, isWeek: true } : period
  return { from: at, to, labels: labelsIn(named, options.views), period, isFigure: false, coversNumbers: true }
}

/** "The week of December 22" is seven days, "December 22" is one. */
function isAfterWeek(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(Math.max(0, at - 3), at).map(({ fold }) => fold)
  const week = before.findLastIndex((word) => calendarUnitOf(word) === 'week')
  return week !== -1 && before.slice(week + 1).every((word) => /^(of|from|beginning|starting|on|vom|ab|du|del|de|van|dal)$/.test(word))
}

const yearLeads = wordSet(
  `in since during year throughout until till before after late early mid fy calendar through jahr im seit vor nach bis ab en dans depuis année
   desde durante año nel dal anno em ano sinds jaar`,
)
const yearVerbs = wordSet('was is had has saw brought ended began started war hatte a fue foi')
const weakYearLeads = wordSet('of for from to by and between vs versus de del di do van von der und et y e to des')

/** "2025" may be a number. It is a year after "in" and the like, or by itself in a heading, a cell or parentheses. */
function readsAsYear(tokens: readonly Token[], at: number): boolean {
  const [before, token, next, afterNext] = [tokens[at - 1], tokens[at]!, tokens[at + 1], tokens[at + 2]]
  if (before && !token.hasGap && before.kind !== 'mark') return false
  if (before && !token.hasGap && !/^[(/–—"“‘'\-|:[]$/.test(before.text)) return false
  if (next && !next.hasGap && (next.kind !== 'mark' || /^[%‰€$£°+*^=]$/.test(next.text))) return false
  if (next?.kind === 'mark' && !next.hasGap && afterNext?.kind === 'number' && !afterNext.hasGap) return false
  if (next && unitMeaningOf(next.fold) !== undefined) return false
  if (before?.kind === 'word' && yearLeads.has(before.fold)) return true
  const endsThere = !next || next.kind === 'mark' || (next.kind === 'word' && isFunctionWord(next.fold))
  if (!before) return !next || (next.kind === 'mark' ? next.text !== '.' : yearVerbs.has(next.fold))
  if (before.kind === 'mark') return endsThere && /^[(/–—"“‘'|,-]$/.test(before.text)
  return endsThere && before.kind === 'word' && (weakYearLeads.has(before.fold) || calendarUnitOf(before.fold) !== undefined)
}

const memory = new WeakMap<LabelColumn, Map<string, Set<string>>>()

/** The labels of each column that are in a period. */
function labelsIn(period: Period, views: readonly ResultView[]): Map<LabelColumn, Set<string>> {
  const all = new Map<LabelColumn, Set<string>>()
  const name = JSON.stringify(period)
  for (const { labelColumns } of views) {
    for (const column of labelColumns) {
      if (column.column.role !== 'time' && column.type !== 'integer') continue
      const known = memory.get(column) ?? new Map<string, Set<string>>()
      memory.set(column, known)
      const labels = known.get(name) ?? readLabelsIn(period, column)
      known.set(name, labels)
      if (labels.size > 0) all.set(column, labels)
    }
  }
  return all
}

function readLabelsIn(period: Period, column: LabelColumn): Set<string> {
  const labels = new Set<string>()
  if (column.column.role !== 'time') {
    const number = calendarNumber(period, column)
    if (number !== undefined && column.labels.has(labelKey(number))) labels.add(labelKey(number))
    return labels
  }
  if (period.latest) {
    const last = latestOf(column)
    if (last !== undefined) labels.add(last)
    return labels
  }
  // The first of a month may be a Monday; the month is not.
  if (period.weekday !== undefined && (column.step === 'month' || column.step === 'quarter' || column.step === 'year')) return labels
  // Weeks are named by their first day.
  const exact = column.step === 'week' && period.isWeek ? { ...period, isWeek: false } : period
  for (const { key, timeMs } of column.labels.values()) if (timeMs !== undefined && isInPeriod(exact, timeMs)) labels.add(key)
  return labels
}

function latestOf({ labels }: LabelColumn): string | undefined {
  let latest: { key: string; timeMs: number | undefined } | undefined
  for (const label of labels.values()) if (label.timeMs !== undefined && (!latest || label.timeMs > latest.timeMs!)) latest = label
  return latest?.key
}

/** The value of a column such as `year` or `month` that holds parts of dates as numbers. */
function calendarNumber(period: Period, { column }: LabelColumn): number | undefined {
  switch (wordsOfName(column.name).at(-1)) {
    case 'year':
      return period.year
    case 'quarter':
      return period.quarter
    case 'month':
      return period.month === undefined ? undefined : period.month + 1
    case 'week':
      return period.week
    default:
      return undefined
  }
}
