import { type Expression, type Figure, type PrintedValue, type Style, writeExpression } from '@querypost/answers'
import { thisRun } from './operands.ts'

/**
 * Figures are marked in the text while it is put together, because their places are known only in the end: lines may still be left
 * out. Marks are control characters, which names and titles never contain.
 */
export interface FigureMarks {
  /** Marks figures of one query run. A figure without an expression is left unmarked. */
  ofRun(runId: string): (printed: PrintedValue, source: { expression: Expression | null; style: Style | null }) => string
  /** Removes the marks from the whole text, and returns the figures that are in it. */
  take(marked: string): { text: string; figures: Figure[] }
}

const [begin, middle, end] = ['\u0001', '\u0002', '\u0003'] as const
// oxlint-disable-next-line no-control-regex
const mark = /\u0001(\d+)\u0002|\u0003/g

export const withoutMarks = (marked: string): string => marked.replaceAll(mark, '')

export function makeFigureMarks(): FigureMarks {
  const marked: Pick<Figure, 'text' | 'value' | 'unit' | 'runId' | 'expression'>[] = []
  return {
    ofRun: (runId) => (printed, { expression, style }) => {
      if (!expression) return printed.text
      const runIdOf = (source: string) => (source === thisRun ? runId : source)
      marked.push({ ...printed, runId, expression: writeExpression(expression, style, { mainRunId: runId, runIdOf }) })
      return `${begin}${marked.length - 1}${middle}${printed.text}${end}`
    },
    take(text) {
      const figures: Figure[] = []
      let removed = 0
      for (const { 0: found, 1: index, index: at } of text.matchAll(mark)) {
        if (index !== undefined) {
          const figure = marked[Number(index)]!
          const start = at - removed
          const id = `f${figures.length + 1}`
          figures.push({ id, ...figure, isProven: true, start, end: start + figure.text.length, reason: null })
        }
        removed += found.length
      }
      return { text: withoutMarks(text), figures }
    },
  }
}
