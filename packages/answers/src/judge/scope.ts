import type { ComputedFigure } from '../expressions/compute-figure.ts'
import type { ResultView } from '../result-view.ts'
import type { Sentence } from '../text/outline.ts'
import type { Token } from '../text/tokens.ts'
import { type Clause, splitClauses } from './clauses.ts'
import type { NameMention } from './column-names.ts'
import type { Context } from './context.ts'
import { isLabelFigure, type Mention } from './find-mentions.ts'

/** A figure in a sentence. */
export interface PlacedFigure {
  /** The index of its token. */
  from: number
  /** Its index in the draft. */
  index: number
  figure: ComputedFigure
}

/** A text with what it names. */
export interface Frame {
  /** `around` are headings, leads, and the row and header of a table's cell: they hold for all of the text inside them. */
  kind: 'before' | 'around' | 'question'
  tokens: readonly Token[]
  mentions: Mention[]
  namesIn: (view: ResultView) => NameMention[]
}

/** A clause with its figures, and the frames that it is read in, from near to far. The question comes last. */
export interface Scope extends Frame {
  clause: Clause
  figures: PlacedFigure[]
  /** Without figures that print labels. */
  numbers: PlacedFigure[]
  frames: Frame[]
  question: Frame
  /** The whole sentence. */
  sentence: Frame
}

export function readScopes({ tokens, before, around }: Sentence, context: Context): Scope[] {
  const mentions = context.mentionsIn(tokens)
  const figures = tokens.flatMap((token, from): PlacedFigure[] => {
    const figure = token.kind === 'figure' ? context.figureOf(token.figure) : undefined
    return figure ? [{ from, index: token.figure, figure }] : []
  })
  const outer = [...before.map((frame) => frameOf('before', frame, context)), ...around.map((frame) => frameOf('around', frame, context))]
  const question = frameOf('question', context.question, context)
  const sentence = frameOf('before', tokens, context)
  const parts = splitClauses(tokens, context).map((clause) => {
    const isInside = ({ from }: { from: number }) => from >= clause.from && from < clause.to
    const own = figures.filter(isInside)
    return {
      kind: 'before' as const,
      clause,
      tokens,
      mentions: mentions.filter(isInside),
      namesIn: (view: ResultView) => sentence.namesIn(view).filter(isInside),
      figures: own,
      numbers: own.filter(({ figure }) => !isLabelFigure(figure)),
    }
  })
  return parts.map((part, at) => Object.assign(part, { frames: [...parts.slice(0, at).toReversed(), ...outer], question, sentence }))
}

const frameOf = (kind: Frame['kind'], tokens: Token[], context: Context): Frame => ({
  kind,
  tokens,
  mentions: context.mentionsIn(tokens),
  namesIn: (view) => context.namesIn(tokens, view),
})
