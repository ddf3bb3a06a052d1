import type { ChatMessage } from '@querypost/client'
import type { Paint } from '../paint.ts'

/**
 * An answer's Markdown as people read it at a terminal: links as their text, bold text in bold, and text that could not be verified
 * marked as such. Control characters, which may come from data, are removed.
 */
export function answerText(markdown: string, paint: Pick<Paint, 'bold' | 'yellow'>): string {
  return withoutControls(markdown)
    .replaceAll(/(?<!\\)!?\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/~~(.+?)~~/g, (_, text: string) => paint.yellow(`${text} (not verified)`))
    .replaceAll(/\*\*(.+?)\*\*/g, (_, text: string) => paint.bold(text))
    .replaceAll(/^#{1,6} +(.*)$/gm, (_, text: string) => paint.bold(text))
    .replaceAll(/`([^`\n]+)`/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}

/** The runs that the figures were computed from, each with its figures: `138,753, 29.1%  http://…/runs/run_…`. */
export function figureLines(answer: Pick<ChatMessage, 'figures'>, baseUrl: string): string[] {
  const proven = answer.figures.filter(({ isProven, runId }) => isProven && runId !== null)
  const byRun = Map.groupBy(proven, ({ runId }) => runId!)
  return Array.from(byRun, ([runId, figures]) => {
    const texts = [...new Set(figures.map(({ text }) => withoutControls(text)))]
    return `${texts.join(', ')}  ${baseUrl}/runs/${runId}`
  })
}

export const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '')
