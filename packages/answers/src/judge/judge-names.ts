import type { ComputedFigure } from '../expressions/compute-figure.ts'
import type { Evaluated } from '../expressions/evaluate.ts'
import { findColumn } from '../expressions/match-rows.ts'
import type { ResultView } from '../result-view.ts'
import { isSameWord } from '../words/fold.ts'
import { isGeneric, type NameMention, type Subject, titleWordsOf } from './column-names.ts'
import type { Context } from './context.ts'
import { wordsOfName } from './label-index.ts'
import { isBase } from './label-sets.ts'
import { pairUp } from './pair-up.ts'
import type { Frame, PlacedFigure, Scope } from './scope.ts'

/** Checks that the text calls a figure by the name of its column, or by another word for it. Returns the reason if not. */
export function judgeNames(placed: PlacedFigure, scope: Scope, context: Context): string | null {
  const { subject, base } = placed.figure
  return base && subjectOf(base) !== subjectOf(subject) ? judgeTwoNames(placed, subject, base, scope, context) : judgeSubject(placed, subject, scope, context)
}

const isOf = ({ subjects }: NameMention, one: Subject) => subjects.has(one)

/** A comparison of two columns has to name both, in the right roles: "… as many returning as new customers". */
function judgeTwoNames({ figure }: PlacedFigure, subject: Evaluated, base: Evaluated, scope: Scope, context: Context): string | null {
  const [own, other] = [subjectOf(subject), subjectOf(base)]
  const mentions = [...relevant(scope.namesIn(subject.view), subject)]
  let bases = mentions.filter((mention) => isBase(scope.tokens, mention, figure.comparison))
  let subjects = mentions.filter((mention) => !bases.includes(mention))
  if ((bases.length === 0 || subjects.length === 0) && mentions.length === 2) {
    const isBaseFirst = figure.comparison === 'change' || figure.comparison === 'difference'
    ;[bases, subjects] = isBaseFirst ? [[mentions[0]!], [mentions[1]!]] : [[mentions[1]!], [mentions[0]!]]
  }
  if (!subjects.every((mention) => isOf(mention, own)) || !bases.every((mention) => isOf(mention, other))) return mismatch(subject)
  const isNamed = (one: Subject, view: ResultView) =>
    isGeneric(view, one, context.synonyms) || framesOf(scope).some((frame) => frame.namesIn(view).some((mention) => isOf(mention, one)))
  if (subjects.length === 0 && !isNamed(own, subject.view)) return mismatch(subject)
  return bases.length > 0 || isNamed(other, base.view) ? null : `The text does not say that it is compared with ${labelOf(base)}.`
}

/** What a value is a value of. */
export function subjectOf({ operand, column }: Evaluated): Subject {
  return operand.kind === 'rows' || column === null ? 'rows' : column
}

const labelOf = ({ column }: Evaluated) => column?.label ?? 'the number of rows'

const framesOf = (scope: Scope): Frame[] => [scope, ...scope.frames, scope.question]

const isCount = ({ operand }: Evaluated) => operand.kind === 'count' || operand.kind === 'rows'

/** The mentions that matter for a figure: of what is measured and, for counts, of what is counted. Columns of its conditions don't. */
function relevant(mentions: NameMention[], evaluated: Evaluated): NameMention[] {
  const conditions = new Set<Subject>(evaluated.operand.conditions.map(({ column }) => findColumn(evaluated.view, column)))
  const own = subjectOf(evaluated)
  return mentions.filter(({ subjects, isMeasure }) => {
    if (subjects.has(own)) return true
    return isMeasure && ![...subjects].every((subject) => conditions.has(subject))
  })
}

function judgeSubject(placed: PlacedFigure, evaluated: Evaluated, scope: Scope, context: Context): string | null {
  const own = subjectOf(evaluated)
  const { view } = evaluated
  const mentions = scope.namesIn(view)
  const attached = (figure: PlacedFigure) => mentions.find(({ from }) => from === figure.from + 1)
  const after = attached(placed)
  if (after && relevant([after], evaluated).length > 0) return after.subjects.has(own) ? null : mismatch(evaluated)
  const taken = new Set(scope.numbers.flatMap((figure) => (sameView(figure, view) ? (attached(figure) ?? []) : [])))
  const free = relevant(mentions, evaluated).filter((mention) => !taken.has(mention))
  const rest = withoutWholes(free, scope)
  if (rest.length > 0) {
    const figures = scope.numbers.filter((figure) => sameView(figure, view) && !taken.has(attached(figure)!))
    const assigned = pairUp(rest, figures).get(placed) ?? rest
    return assigned.every(({ subjects }) => subjects.has(own)) ? null : mismatch(evaluated)
  }
  // "… and … orders": the name after the last figure is for all of them.
  const shared = sharedName(placed, scope, attached)
  if (shared) return shared.subjects.has(own) ? null : mismatch(evaluated)
  // "Billing has … tickets, Shipping …": the name that was attached before goes on.
  const before = [...taken].findLast((mention) => mention.from < placed.from)
  if (before) return before.subjects.has(own) ? null : mismatch(evaluated)
  for (const frame of [...scope.frames, scope.question]) {
    const named = relevant(frame.namesIn(view), evaluated)
    if (named.length === 0) continue
    return named.every(({ subjects }) => subjects.has(own)) ? null : mismatch(evaluated)
  }
  return isGeneric(view, own, context.synonyms) || isTitled(scope, view) || isCount(evaluated) ? null : `The text does not say that this is ${labelOf(evaluated)}.`
}

function sharedName({ from }: PlacedFigure, { numbers, tokens }: Scope, attached: (figure: PlacedFigure) => NameMention | undefined): NameMention | undefined {
  const next = numbers.find((other) => other.from > from)
  if (!next || !tokens.slice(from + 1, next.from).every(({ fold }) => /^(and|or|und|oder|et|ou|y|o|e|en|of|,|&)$/.test(fold))) return undefined
  return attached(next)
}

/** "{{…}} of orders were refunded" is not about orders. */
function withoutWholes(mentions: NameMention[], { numbers, tokens }: Scope): NameMention[] {
  const isWhole = ({ from }: NameMention) =>
    numbers.some((placed) => {
      const between = tokens.slice(placed.from + 1, from).map(({ fold }) => fold)
      return placed.from < from && placed.figure.unit === '%' && /^(of|der|des|du|de|del|di|do|van)$/.test(between[0] ?? '') && between.length <= 3
    })
  const rest = mentions.filter((mention) => !isWhole(mention))
  return rest.length > 0 ? rest : mentions
}

const sameView = ({ figure }: PlacedFigure, view: ResultView) => figure.subject.view === view

const mismatch = (evaluated: Evaluated) => `It is ${labelOf(evaluated)}; the text calls it something else.`

/** The words of the saved query's title name its figures, too, if it measures only one thing. */
function isTitled(scope: Scope, view: ResultView): boolean {
  if (view.columns.filter(({ role }) => role === 'measure' || role === 'level').length > 1) return false
  const labels = view.labelColumns.flatMap(({ column }) => wordsOfName(column.name))
  const words = titleWordsOf(view).filter((word) => !labels.some((label) => isSameWord(label, word)))
  return framesOf(scope).some(({ tokens }) => tokens.some(({ kind, fold }) => kind === 'word' && words.some((word) => isSameWord(word, fold))))
}

/** All views of a figure. */
export const viewsOf = ({ subject, base }: ComputedFigure): ResultView[] => (base && base.view !== subject.view ? [subject.view, base.view] : [subject.view])
