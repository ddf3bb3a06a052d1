import type { Published } from './draft.ts'
import type { FigureOutcome } from './expressions/compute-figure.ts'
import type { Figure } from './figure.ts'
import { escapeMarkdown } from './format.ts'
import type { Strike, Verdicts } from './judge/judge-text.ts'
import { type CanonicalText, isLinkEnd, linkIndex, linkStart } from './text/canonical-markdown.ts'
import { isPlaceholderCharacter, placeholderIndex } from './text/find-placeholders.ts'

export interface PrintOptions {
  canonical: CanonicalText
  verdicts: Verdicts
  outcomes: readonly FigureOutcome[]
  /** As written, for figures that could not be computed. */
  placeholders: readonly string[]
  baseUrl: string
}

/** What a figure that could not be computed reads. */
const unknownText = 'unknown'

/** Writes the text for readers, and lists its figures and everything that is struck in it. */
export function printPublished({ canonical, verdicts, outcomes, placeholders, baseUrl }: PrintOptions): Published {
  const { text: source, links } = canonical
  const strikes = mergeStrikes(source, wholeCode(source, verdicts.strikes))
  const figures: Figure[] = []
  const usedRunIds = new Set<string>()
  let text = ''

  function addUnproven(shown: string, markdown: string, reason: string, expression: string | null): void {
    // Four tildes in a row would not end one strike and begin the next.
    text += text.endsWith('~~') ? ' ~~' : '~~'
    const start = text.length
    text += markdown
    figures.push({ id: '', text: shown, isProven: false, value: null, unit: null, runId: null, expression, start, end: text.length, reason })
    text += '~~'
  }

  function addFigure(index: number): void {
    const outcome = outcomes[index]!
    if ('problem' in outcome) return addUnproven(unknownText, unknownText, outcome.problem, placeholders[index]!)
    const reason = verdicts.figureReasons.get(index)
    const markdown = escapeMarkdown(outcome.text)
    if (reason !== undefined) return addUnproven(outcome.text, markdown, reason, placeholders[index]!)
    const start = text.length + 1
    text += `[${markdown}](${baseUrl}/runs/${outcome.runId})`
    const { value, unit, runId, expression } = outcome
    const end = start + markdown.length
    figures.push({ id: '', text: outcome.text, isProven: true, value, unit, runId, expression, start, end, reason: null })
    for (const used of outcome.runIds) usedRunIds.add(used)
  }

  let next = 0
  for (let at = 0; at < source.length; ) {
    const strike = strikes[next]
    if (strike && strike.start === at) {
      const { inside, loose } = takeMarkup(source.slice(strike.start, strike.end))
      addUnproven(visible(inside), inside, strike.reason, null)
      text += loose
      at = strike.end
      next++
      continue
    }
    const character = source[at]!
    if (isPlaceholderCharacter(character)) addFigure(placeholderIndex(character))
    else if (character === linkStart) text += '['
    else if (isLinkEnd(character)) text += `](${links[linkIndex(character)]})`
    else text += character
    at++
  }
  for (const [at, figure] of figures.entries()) figure.id = `f${at + 1}`
  return { text, figures, usedRunIds: [...usedRunIds] }
}

/** Nothing can be struck inside of code, so the code is struck as a whole. */
function wholeCode(source: string, strikes: readonly Strike[]): Strike[] {
  const spans = codeSpans(source)
  let next = 0
  return strikes
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, reason }) => {
      while (next < spans.length && spans[next]!.end <= start) next++
      const span = spans[next]
      const place = span && span.start <= start && end <= span.end ? span : { start, end }
      return { start: place.start, end: place.end, reason }
    })
}

/** A code span never goes over a line end, and never begins inside of a row of backticks. */
const codeSpans = (source: string): { start: number; end: number }[] =>
  Array.from(source.matchAll(/(?<![\\`])(`+)(?!`).*?[^`]\1(?!`)/g), ({ index, 0: span }) => ({ start: index, end: index + span.length }))

/** Strikes that overlap, or that only spaces and punctuation of a number separate, are one. */
function mergeStrikes(source: string, strikes: readonly Strike[]): Strike[] {
  const merged: Strike[] = []
  for (const strike of strikes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    const between = last && source.slice(last.end, strike.start)
    if (last && (strike.start <= last.end || /^(?:[ %+\-−–/*]*|[.,])$/.test(between!))) last.end = Math.max(last.end, strike.end)
    else merged.push({ ...strike })
  }
  return merged
}

/** Emphasis and links that begin or end inside of a strike are closed after it. */
function takeMarkup(markdown: string): { inside: string; loose: string } {
  if (!/[*\uEE00-\uEFFF]/.test(markdown)) return { inside: markdown, loose: '' }
  const parts = markdown.split(/((?<!\\)\*+|[\uEE00-\uEFFF])/)
  const marks = parts.filter((_, at) => at % 2 === 1)
  const inside = parts.filter((_, at) => at % 2 === 0).join('')
  // Markup that is opened and closed inside is dropped; a single mark belongs to text outside.
  return { inside, loose: marks.length % 2 === 1 && /^\*+$/.test(marks[0]!) ? marks[0]! : '' }
}

/** Without escapes and emphasis. */
const visible = (markdown: string) => markdown.replaceAll(/\\([!-/:-@[-`{-~])|`+/g, '$1')
