import type { Evaluated } from '../expressions/evaluate.ts'
import type { LabelColumn } from '../result-view.ts'
import { isAllWord, isTotalWord } from '../words/total-words.ts'
import { timeText } from '../expressions/print-value.ts'
import { findColumn } from '../expressions/match-rows.ts'
import { isLabelFigure, type Mention } from './find-mentions.ts'
import {
  findRelativeBases,
  type Group,
  groupMentions,
  isBase,
  isSameSet,
  isSubset,
  isUnitBefore,
  isWider,
  type Labels,
  names,
  type RelativeBase,
  sortedKeys,
} from './label-sets.ts'
import { pairOneByOne, pairUp } from './pair-up.ts'
import type { Frame, PlacedFigure, Scope } from './scope.ts'

/**
 * Checks that a figure's rows are the ones that its sentence is about: every label it was selected by is visible to readers, and no
 * label that they see belongs to other rows. Returns the reason if not.
 */
export function judgeLabels(placed: PlacedFigure, scope: Scope): string | null {
  const { subject, base } = placed.figure
  const columns = subject.view.labelColumns
  const isLabel = isLabelFigure(placed.figure)
  let isAnyNamed = false
  for (const column of columns) {
    if (isLabel && column.column === subject.column) continue
    const verdict = judgeColumn(placed, scope, column)
    if (verdict.reason !== null) return verdict.reason
    isAnyNamed ||= verdict.isNamed
  }
  if (base && base.view !== subject.view) {
    for (const column of base.view.labelColumns) {
      const reason = judgeOther(base, scope, column)
      if (reason !== null) return reason
    }
  }
  if (!isLabel && columns.length > 0 && needsAnyLabel(subject) && !isAnyNamed) {
    return `The text does not say which ${nameOf(columns[0]!)} this is about.`
  }
  return null
}

interface Verdict {
  reason: string | null
  /** Whether readers see which labels of this column it is about. */
  isNamed: boolean
}

/** A value of one row has to be named by at least one of the row's labels. */
const needsAnyLabel = ({ operand, view, selection }: Evaluated) =>
  !selection.isAll && (operand.kind === 'value' || operand.kind === 'first' || operand.kind === 'last' || view.rowCount === 1)

const nameOf = ({ column }: LabelColumn) => column.label

/** The labels of a column that a value was computed from; undefined if these are all, and not because a condition says so. */
function selected(evaluated: Evaluated, column: LabelColumn): Labels | undefined {
  const { selection, view } = evaluated
  if (selection.isAll) return undefined
  const labels = selection.labels.get(column.column.index) ?? new Set()
  const isEvery = view.rowCount > 1 && labels.size === column.labels.size && !isSelectedBy(evaluated, column) && selection.rowCount > 1
  return isEvery ? undefined : labels
}

const isSelectedBy = ({ operand, view }: Evaluated, { column }: LabelColumn) =>
  operand.conditions.some((condition) => findColumn(view, condition.column) === column)

const areSame = (a: Labels | undefined, b: Labels | undefined) => (a && b ? isSameSet(a, b) : a === b)

const about = (frame: Frame, column: LabelColumn) => frame.mentions.filter(({ labels }) => labels.has(column))

function judgeColumn(placed: PlacedFigure, scope: Scope, column: LabelColumn): Verdict {
  const { subject, base, comparison } = placed.figure
  const wanted = selected(subject, column)
  const isRequired = isSelectedBy(subject, column)
  if (!base || base.view !== subject.view) return judgeOne(placed, scope, column, wanted, isRequired)
  const compared = selected(base, column)
  if (areSame(wanted, compared)) return judgeOne(placed, scope, column, wanted, isRequired)
  if (comparison === 'share' || compared === undefined || wanted === undefined) {
    const verdict = judgeOne(placed, scope, column, wanted, isRequired)
    if (verdict.reason !== null || compared === undefined || wanted === undefined) return verdict
    const isWholeNamed = [scope, ...scope.frames, scope.question].some((frame) => about(frame, column).some((mention) => isSameSet(mention.labels.get(column)!, compared)))
    return isWholeNamed ? verdict : notNamed(column)
  }
  return judgeTwo(placed, scope, column, wanted, compared)
}

function notNamed(column: LabelColumn): Verdict {
  return { reason: `The text does not say which ${nameOf(column)} this is about.`, isNamed: false }
}

const ok: Verdict = { reason: null, isNamed: true }
const open: Verdict = { reason: null, isNamed: false }

/** A figure with one selection. */
function judgeOne(placed: PlacedFigure, scope: Scope, column: LabelColumn, wanted: Labels | undefined, isRequired: boolean): Verdict {
  const own = about(scope, column)
  if (own.length === 0) return judgeByFrames(scope, column, wanted, isRequired, placed)
  if (isWholeOfPart(placed, scope)) return ok
  const isCompeting = (other: PlacedFigure) =>
    other.figure.subject.view.labelColumns.includes(column) && !isTwofold(other.figure, column) && !isWholeOfPart(other, scope)
  const figures = isLabelFigure(placed.figure) ? [placed] : scope.numbers.filter(isCompeting)
  const competing = withoutQualifiers(own, figures, column)
  const fits = (group: Group) => names(group, column, wanted, scope.tokens) || isExtreme(placed, group, scope, column)
  const singles = competing.map((mention): Group => ({ from: mention.from, to: mention.to, mentions: [mention] }))
  const isOneByOne = figures.length > 1 && pairOneByOne(singles, figures)
  const assigned = isOneByOne ? [singles[figures.indexOf(placed)]!] : (pairUp(groupMentions(competing, scope.tokens), figures).get(placed) ?? singles)
  // A label that prints next to others only has to be in the row that the text names.
  if (isLabelFigure(placed.figure)) return wanted && !singles.some((group) => isSubset(wanted, group.mentions[0]!.labels.get(column)!)) ? contradiction(assigned, column, wanted) : ok
  if (assigned.every((group) => fits(group) || (wanted !== undefined && isWider(group, column, wanted)))) {
    if (assigned.some(fits)) return ok
    return isNarrowed(assigned, scope, column, wanted!) ? ok : isRequired ? notNamed(column) : open
  }
  return contradiction(assigned, column, wanted)
}

/** "Germany made … of the total …": the second figure is about all rows. */
function isWholeOfPart({ from, figure }: PlacedFigure, { numbers, tokens }: Scope): boolean {
  const part = numbers.findLast((other) => other.from < from)
  if (!part || !figure.subject.selection.isAll || part.figure.subject.selection.isAll) return false
  const between = tokens.slice(part.from + 1, from).map(({ fold }) => fold)
  return /^(of|out|von|der|des|sur|du|de|del|su|di|do|van)$/.test(between[0] ?? '') && between.some(isTotalWord) && !between.some((word) => /^(and|und|et|y|e|en|,)$/.test(word))
}

const isTwofold = ({ subject, base, comparison }: PlacedFigure['figure'], column: LabelColumn) => {
  if (!base || comparison === 'share' || base.view !== subject.view) return false
  const [one, two] = [selected(subject, column), selected(base, column)]
  return one !== undefined && two !== undefined && !isSameSet(one, two)
}

/** "In 2025, …" qualifies every figure about a month of that year, and does not compete with the month's name. */
function withoutQualifiers(mentions: Mention[], figures: PlacedFigure[], column: LabelColumn): Mention[] {
  const isQualifier = (mention: Mention) =>
    figures.every(({ figure }) => {
      const labels = selected(figure.subject, column)
      const set = mention.labels.get(column)!
      return labels !== undefined && set.size > labels.size && isSubset(labels, set)
    })
  const rest = mentions.filter((mention) => !isQualifier(mention))
  return rest.length > 0 ? rest : mentions
}

/** "The highest revenue was … in March": the mention names the row of the maximum. */
function isExtreme({ figure }: PlacedFigure, group: Group, { tokens }: Frame, column: LabelColumn): boolean {
  const key = figure.subject.selection.extremeLabels?.get(column.column.index)
  return key !== undefined && names(group, column, new Set([key]), tokens)
}

/** "In December" names every December; together with "2025" nearby, only one. */
function isNarrowed(groups: readonly Group[], scope: Scope, column: LabelColumn, wanted: Labels): boolean {
  let rest = new Set(column.labels.keys())
  const narrow = (mentions: readonly Mention[]) => {
    for (const { labels } of mentions) {
      const set = labels.get(column)
      if (set && isSubset(wanted, set)) rest = new Set([...rest].filter((key) => set.has(key)))
    }
  }
  narrow(groups.flatMap(({ mentions }) => mentions))
  narrow(about(scope, column))
  if (isSameSet(rest, wanted)) return true
  for (const frame of [...scope.frames, scope.question]) {
    narrow(about(frame, column))
    if (isSameSet(rest, wanted)) return true
  }
  return false
}

/** The nearest frame that names any label of the column decides. */
function judgeByFrames(scope: Scope, column: LabelColumn, wanted: Labels | undefined, isRequired: boolean, placed: PlacedFigure | null): Verdict {
  const frame = [...scope.frames, scope.question].find((one) => about(one, column).length > 0)
  if (!frame) return isRequired ? notNamed(column) : open
  const mentions = about(frame, column)
  const all = groupOf(mentions)
  const isNamed = (group: Group) => names(group, column, wanted, frame.tokens) || (placed !== null && isExtreme(placed, group, frame, column))
  // What a sentence compares with is not what the next one is about.
  const subjects = mentions.filter((mention) => !isBase(frame.tokens, mention))
  if (isNamed(all) || (subjects.length > 0 && isNamed(groupOf(subjects)))) return ok
  const isStatistic = placed !== null && frame.kind === 'before' && /^(avg|median|min|max)$/.test(placed.figure.subject.operand.kind)
  if (wanted === undefined) return isStatistic || saysAll(scope, frame.kind) ? open : contradiction([all], column, undefined)
  const exact = (subjects.length > 0 ? subjects : mentions).filter((mention) => !isStrictlyWider(mention, column, wanted))
  if (exact.length === 0) return isNarrowed([all], scope, column, wanted) ? ok : isRequired ? notNamed(column) : open
  if (exact.every((mention) => isSameSet(mention.labels.get(column)!, wanted))) return ok
  if (frame.kind === 'question') return isRequired ? notNamed(column) : open
  return contradiction([all], column, wanted)
}

/** After a sentence about one row, "total" is about all rows again; under a heading about one row, nothing is. */
function saysAll({ tokens, clause }: Scope, kind: Frame['kind']): boolean {
  const isSaid = kind === 'before' ? isTotalWord : isAllWord
  return kind !== 'around' && tokens.slice(clause.from, clause.to).some(({ fold }) => isSaid(fold))
}

const isStrictlyWider = (mention: Mention, column: LabelColumn, wanted: Labels) => {
  const set = mention.labels.get(column)!
  return set.size > wanted.size && isSubset(wanted, set)
}

/** A comparison of two selections: "up … in December, from November". */
function judgeTwo(placed: PlacedFigure, scope: Scope, column: LabelColumn, wanted: Labels, compared: Labels): Verdict {
  const isRatio = placed.figure.comparison === 'ratio'
  const mentions = about(scope, column)
  const isMentioned = (base: RelativeBase) => mentions.some(({ from, to }) => from < base.to && base.from < to)
  const relative = findRelativeBases(scope.tokens).filter((base) => base.from >= scope.clause.from && base.from < scope.clause.to && !isMentioned(base))
  const own = mentions.filter((mention) => !(isStrictlyWider(mention, column, wanted) && isStrictlyWider(mention, column, compared)))
  const is = (mention: Mention, labels: Labels) => names({ from: mention.from, to: mention.to, mentions: [mention] }, column, labels, []) || (isStrictlyWider(mention, column, labels) && isNarrowed([{ ...mention, mentions: [mention] }], scope, column, labels))
  if (own.length === 0 && relative.length === 0 && isWholeSpan(about(scope, column), column, wanted, compared)) return ok
  const bases = own.filter((mention) => isBase(scope.tokens, mention, placed.figure.comparison))
  let subjects = own.filter((mention) => !bases.includes(mention))
  let baseMentions = bases
  if (bases.length === 0 || subjects.length === 0) {
    // Without a word that marks the base, the order decides: "between November and December", "Germany is … France".
    if (own.length === 2) [baseMentions, subjects] = isRatio ? [[own[1]!], [own[0]!]] : [[own[0]!], [own[1]!]]
  }
  if (!subjects.every((mention) => is(mention, wanted))) return contradiction([groupOf(subjects)], column, wanted)
  if (!baseMentions.every((mention) => is(mention, compared))) return contradiction([groupOf(baseMentions)], column, compared)
  if (relative.length > 0 && !relative.some(({ unit }) => isUnitBefore(column, compared, wanted, unit))) {
    return { reason: `It is compared with ${describe(column, compared)}, not with what the text says.`, isNamed: false }
  }
  if (subjects.length === 0) {
    const verdict = judgeByFrames(scope, column, wanted, true, null)
    if (verdict.reason !== null) return verdict
  }
  if (baseMentions.length > 0 || relative.length > 0) return ok
  const isBaseInFrame = [...scope.frames, scope.question].some((frame) => about(frame, column).some((mention) => is(mention, compared)))
  return isBaseInFrame ? ok : { reason: `The text does not say what it is compared with: ${describe(column, compared)}.`, isNamed: false }
}

const groupOf = (mentions: Mention[]): Group => ({ from: mentions[0]?.from ?? 0, to: mentions.at(-1)?.to ?? 0, mentions })

/** "Over 2025" names the first and the last month of a result that has just these. */
function isWholeSpan(mentions: Mention[], column: LabelColumn, wanted: Labels, compared: Labels): boolean {
  if (column.column.role !== 'time' || mentions.length !== 1) return false
  const sorted = sortedKeys(column).filter((key) => mentions[0]!.labels.get(column)!.has(key))
  return isSameSet(compared, new Set(sorted.slice(0, 1))) && isSameSet(wanted, new Set(sorted.slice(-1)))
}

/** The base of a comparison between two runs: its own labels must not be others than those that the text names. */
function judgeOther(base: Evaluated, scope: Scope, column: LabelColumn): string | null {
  const wanted = selected(base, column)
  const mentions = about(scope, column)
  if (wanted === undefined || mentions.length === 0) return null
  return mentions.some(({ labels }) => isSubset(wanted, labels.get(column)!)) ? null : contradiction([groupOf(mentions)], column, wanted).reason
}

function contradiction(groups: readonly Group[], column: LabelColumn, wanted: Labels | undefined): Verdict {
  const named = new Set(groups.flatMap(({ mentions }) => mentions.flatMap(({ labels }) => [...(labels.get(column) ?? [])])))
  const computed = wanted === undefined ? `all rows` : describe(column, wanted)
  return { reason: `It was computed from ${computed}, but the text names ${describe(column, named)}.`, isNamed: false }
}

const maxDescribed = 3

function describe(column: LabelColumn, labels: Labels): string {
  if (labels.size === 0) return `another ${nameOf(column)}`
  const shown = [...labels].slice(0, maxDescribed).map((key) => {
    const label = column.labels.get(key)
    return label?.timeMs === undefined ? key.slice(0, 40) : timeText(label.timeMs, column.step)
  })
  return labels.size > maxDescribed ? `${shown.join(', ')} and others` : shown.join(', ')
}
