import type { Findings, Headline } from './findings.ts'
import { counted, type Figure } from '@querypost/answers'
import { escapedName } from './escaped-name.ts'
import { type FigureMarks, makeFigureMarks, withoutMarks } from './figure-marks.ts'
import { firstReport, headlineWords, nothingNotable, pointWords } from './words.ts'

/** The outcome for one reference. */
export type Digested = { title: string } & (
  | { runId: string; runUrl: string; findings: Findings }
  /** Its query failed; the reason comes from the engine or from this service. */
  | { runUrl: string | null; failure: string }
)

const maxPoints = 6
/** Limit for the visible text, without link addresses, so that an event carries it whole. */
const summaryMaxLength = 1900
const failureMaxLength = 200

export interface Summary {
  /** Markdown. The same findings give the same bytes. */
  text: string
  figures: Figure[]
}

export function summarize(digested: Digested[]): Summary {
  const marks = makeFigureMarks()
  return marks.take(write(digested, marks))
}

function write(digested: Digested[], marks: FigureMarks): string {
  const succeeded = digested.filter((one) => 'findings' in one)
  const isQuiet = succeeded.length === digested.length && succeeded.every(({ findings }) => !findings.isNotable)
  const isFirst = succeeded.length > 1 && succeeded.every(({ findings }) => findings.points[0]?.kind === 'first_report')
  const opening = isQuiet && succeeded.length > 1 ? ['Nothing notable since the last run.'] : []
  const closing = isFirst ? [firstReport] : []
  const blocks = digested.map((one) => linesOf(one, { isQuiet: opening.length > 0, isFirst, marks }))
  for (let most = maxPoints; most >= 0; most--) {
    const text = [...opening, ...blocks.map((block) => blockText(block, most)), ...closing].join('\n\n')
    if (visibleLength(text) <= summaryMaxLength) return text
  }
  return [...opening, ...asManyAsFit(blocks.map(([headline]) => headline!)), ...closing].join('\n\n')
}

function linesOf(one: Digested, options: { isQuiet: boolean; isFirst: boolean; marks: FigureMarks }): string[] {
  const { isQuiet, isFirst, marks } = options
  const title = `**${escapedName(one.title)}:**`
  const link = (text: string) => (one.runUrl ? `[${text}](${one.runUrl})` : text)
  if ('failure' in one) return [`${title} ${link('**failed**')}. ${cutReason(one.failure)}`]
  const { findings } = one
  const writer = { link, figure: marks.ofRun(one.runId) }
  const isUnchanged = findings.isSame && !isQuiet
  const words = [title, headlineWords(isUnchanged ? withoutChange(findings.headline) : findings.headline, writer)]
  const isFirstReport = findings.points.some(({ kind }) => kind === 'first_report')
  if (isFirstReport && !isFirst) words.push(firstReport)
  if (!findings.isNotable && !isQuiet) words.push(nothingNotable(findings))
  // Unchanged points are not worth reporting, but what prevents a comparison is.
  const shown = findings.points.filter(({ kind }) =>
    findings.isNotable ? kind !== 'first_report' : kind === 'query_changed' || kind === 'not_comparable',
  )
  return [words.join(' '), ...shown.map((point) => pointWords(point, writer))]
}

/** When the text already says that nothing changed, the headline does not repeat it. */
function withoutChange(headline: Headline): Headline {
  if (headline.kind === 'period') return headline
  if (headline.kind === 'rows') return { ...headline, change: null }
  return { ...headline, figure: { ...headline.figure, change: null } }
}

function cutReason(reason: string): string {
  const text = escapedName(reason, failureMaxLength)
  return /[.…!?]$/.test(text) ? text : `${text}.`
}

function blockText([headline, ...points]: string[], most: number): string {
  const shown = points.slice(0, most)
  const left = points.length - shown.length
  const rest = left > 0 ? (most > 0 ? [`- and ${counted(left, 'more finding')}.`] : []) : []
  return [headline!, ...shown.map((point) => `- ${point}`), ...rest].join('\n')
}

function asManyAsFit(headlines: string[]): string[] {
  const shown: string[] = []
  let length = 0
  for (const headline of headlines) {
    length += visibleLength(headline) + 2
    if (length > summaryMaxLength - 100) break
    shown.push(headline)
  }
  const left = headlines.length - shown.length
  return left > 0 ? [...shown, `And ${counted(left, 'more reference')}; the steps above show them.`] : shown
}

const visibleLength = (markdown: string) => withoutMarks(markdown).replaceAll(/\]\([^)]*\)/g, '').length
