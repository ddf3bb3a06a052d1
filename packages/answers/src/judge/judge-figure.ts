import type { Evaluated } from '../expressions/evaluate.ts'
import { findColumn } from '../expressions/match-rows.ts'
import type { Token } from '../text/tokens.ts'
import { type AggregateWord, isAggregateWord } from '../words/aggregate-words.ts'
import { comparativeOf, directionOf, isChangeWord } from '../words/direction-words.ts'
import { isSameWord, wordSet } from '../words/fold.ts'
import { isFunctionWord, isSignificant } from '../words/function-words.ts'
import { unitMeaningOf } from '../words/unit-words.ts'
import type { Context } from './context.ts'
import { endOfNumber } from './find-claims.ts'
import { isLabelFigure } from './find-mentions.ts'
import { numberKey } from './given.ts'
import { isLiteral, literalsOf } from './judge-claims.ts'
import { judgeLabels } from './judge-labels.ts'
import { judgeNames, subjectOf } from './judge-names.ts'
import { wordsOfName } from './label-index.ts'
import type { Frame, PlacedFigure, Scope } from './scope.ts'

/** Checks that the text around a computed figure says what was computed. Returns the reason if it does not. */
export function judgeFigure(placed: PlacedFigure, scope: Scope, context: Context): string | null {
  if (isLabelFigure(placed.figure)) return judgeLabels(placed, scope)
  return (
    judgeNeighbors(placed, scope) ??
    judgeWordAfter(placed, scope, context) ??
    judgeNames(placed, scope, context) ??
    judgeLabels(placed, scope) ??
    judgeConditions(placed, scope) ??
    judgeStatistic(placed, scope, context) ??
    judgeChange(placed, scope, context)
  )
}

/** Two figures that touch read as one number. */
function judgeNeighbors({ from, figure }: PlacedFigure, { tokens, numbers }: Scope): string | null {
  const isNumber = (at: number) => tokens[at]?.kind === 'figure' && (numbers.some((other) => other.from === at) || !figure)
  const isTouching = (first: number, second: number) => {
    if (second === first + 1) return true
    return second === first + 2 && /^[.,'’:]$/.test(tokens[first + 1]!.text) && !tokens[first + 1]!.hasGap && !tokens[second]!.hasGap
  }
  const isJoined = [from - 2, from - 1].some((at) => at >= 0 && isNumber(at) && isTouching(at, from)) || [from + 1, from + 2].some((at) => isNumber(at) && isTouching(from, at))
  return isJoined ? 'It touches another figure, so that both read as one number.' : null
}

/** The word after a figure names what it counts, so it has to belong to it. */
function judgeWordAfter({ from, figure }: PlacedFigure, scope: Scope, context: Context): string | null {
  const { tokens } = scope
  const hyphen = tokens[from + 1]
  const at = hyphen?.kind === 'mark' && /^[-‐‑]$/.test(hyphen.text) && !hyphen.hasGap ? from + 2 : from + 1
  const next = tokens[at]
  if (next?.kind !== 'word') return null
  const { fold } = next
  if (!next.hasGap && at === from + 1 && unitMeaningOf(fold) === undefined) return 'Letters are attached to it.'
  if (isFunctionWord(fold) || unitMeaningOf(fold) !== undefined || directionOf(fold, context.language) !== undefined || comparativeOf(fold) !== undefined || isChangeWord(fold)) return null
  if (scope.mentions.some((mention) => mention.from === at)) return null
  const evaluated = figure.subject
  const own = subjectOf(evaluated)
  const named = scope.namesIn(evaluated.view).find((mention) => mention.from === at)
  if (named?.subjects.has(own)) return null
  if (named?.isMeasure) return `It is ${evaluated.column?.label ?? 'a number of rows'}, not ${fold}.`
  // Counts are called by what the rows are: "{{count(*)}} customers".
  if (named && (evaluated.operand.kind === 'count' || evaluated.operand.kind === 'rows')) return null
  if ((['avg', 'median', 'min', 'max'] as const).some((kind) => isAggregateWord(fold, kind, context.language))) return null
  const isWord = (word: string) => isSameWord(word, fold)
  if (wordsOfName(evaluated.column?.name ?? '').some(isWord)) return null
  if (isSignificant(fold) && context.givenTexts.some((text) => text.some((token) => token.kind === 'word' && isWord(token.fold)))) return null
  return `The text calls it ${next.text}, which is not in the result.`
}

/** Conditions on numbers, and on missing values, have to be visible, too. Those on labels are judged with the labels. */
function judgeConditions({ figure }: PlacedFigure, scope: Scope): string | null {
  for (const evaluated of [figure.subject, figure.base]) {
    if (!evaluated) continue
    const { operand, view } = evaluated
    for (const condition of operand.conditions) {
      const column = findColumn(view, condition.column)
      if (condition.kind === 'null') {
        if (!isNullVisible(scope, column.name, condition.isNegated)) return `The text does not say that ${column.label} is ${condition.isNegated ? 'present' : 'missing'}.`
        continue
      }
      if (view.labelColumns.some((one) => one.column === column)) continue
      const isShown = literalsOf([condition]).every((literal) => framesOf(scope).some((frame) => hasLiteral(frame, literal)))
      if (!isShown) return `The text does not mention the condition on ${column.label}.`
    }
  }
  return null
}

const framesOf = (scope: Scope): Frame[] => [scope.sentence, ...scope.frames, scope.question]

function hasLiteral({ tokens }: Frame, literal: { text: string; operator: string }): boolean {
  return tokens.some(({ kind }, at) => kind === 'number' && tokens[at - 1]?.kind !== 'number' && isLiteral(literal, numberKey(tokens, at, endOfNumber(tokens, at)), tokens, at))
}

const missing = wordSet('no without missing null empty unknown unassigned blank lack lacking none ohne fehlend fehlende leer unbekannt sans manquant vide inconnu sin vacío desconocido senza mancante vuoto sem vazio zonder ontbrekend leeg onbekend not')

function isNullVisible(scope: Scope, name: string, isNegated: boolean): boolean {
  const { tokens } = scope.sentence
  const isNamed = wordsOfName(name).some((word) => tokens.some(({ fold }) => isSameWord(word, fold)))
  return isNamed && tokens.some(({ fold }) => missing.has(fold)) !== isNegated
}

/** Averages, medians and extremes have to be called that. */
function judgeStatistic({ figure }: PlacedFigure, scope: Scope, context: Context): string | null {
  const kinds = [figure.subject, figure.base].flatMap((one) => (one && isStatistic(one) ? [one] : []))
  for (const evaluated of kinds) {
    const kind = evaluated.operand.kind as AggregateWord
    if (evaluated.selection.rowCount === 1) continue
    const isWord = ({ fold }: Token) => isAggregateWord(fold, kind, context.language)
    // The question may ask for the largest; the answer has to say that this is it.
    if (![scope.sentence, ...scope.frames].some(({ tokens }) => tokens.some(isWord))) return `The text does not say that this is ${statisticNames[kind]}.`
  }
  return null
}

const statisticNames: Record<AggregateWord, string> = { avg: 'an average', median: 'a median', min: 'a minimum', max: 'a maximum' }
const isStatistic = ({ operand: { kind } }: Evaluated) => kind === 'avg' || kind === 'median' || kind === 'min' || kind === 'max'

/** A change that is printed without its direction could be taken for the value itself. */
function judgeChange({ figure }: PlacedFigure, scope: Scope, context: Context): string | null {
  if (figure.direction === null || figure.style !== 'amount') return null
  const isWord = ({ kind, fold }: Token) => kind === 'word' && (directionOf(fold, context.language) !== undefined || comparativeOf(fold) !== undefined || isChangeWord(fold))
  const near = [scope.sentence, ...scope.frames.filter(({ kind }) => kind === 'around')]
  return near.some(({ tokens }) => tokens.some(isWord)) ? null : 'The text does not say that this is a change.'
}
