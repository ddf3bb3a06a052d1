import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ReportDocument, ReportSection } from '../../../model/report.ts'
import { shortened } from '../../shortened.ts'
import { downloadLabel, listDownloads } from '../rendering/download-label.ts'
import { type MarkdownText, readMarkdown } from '../rendering/read-markdown.ts'
import { shownTime } from '../rendering/shown-time.ts'
import { tableCells } from '../rendering/table-cells.ts'
import { escapeMrkdwn, mrkdwnLink, mrkdwnTable, renderMrkdwn } from './mrkdwn.ts'

export interface SlackMessage {
  /** For notifications, and for programs that do not show blocks. */
  text: string
  blocks: SlackBlock[]
}

interface SlackText {
  type: 'mrkdwn' | 'plain_text'
  text: string
}

export type SlackBlock =
  | { type: 'header'; text: SlackText }
  | { type: 'section'; text: SlackText }
  | { type: 'section'; fields: SlackText[] }
  | { type: 'context'; elements: SlackText[] }
  | { type: 'divider' }
  | { type: 'actions'; elements: { type: 'button'; text: SlackText; url: string }[] }

/** Slack's documented limits. */
export const slackLimits = { blocks: 50, header: 150, section: 3_000, fields: 10, field: 2_000, url: 3_000 } as const
/** Not documented: Slack refuses blocks with more than about 13,200 characters in all (`msg_blocks_too_long`). */
const blocksMaxCharacters = 12_000
/** The button at the end, and a line that says what is missing. */
const reservedBlocks = 2
const tableLimits = { rows: 15, columns: 5 }

const mrkdwn = (text: string): SlackText => ({ type: 'mrkdwn', text })
const section = (text: string): SlackBlock => ({ type: 'section', text: mrkdwn(text) })

/** A report as a message of Slack. Sections that do not fit are left to the page that the report links to. */
export function renderSlackMessage(document: ReportDocument): SlackMessage {
  const blocks: SlackBlock[] = [
    { type: 'header', text: { type: 'plain_text', text: withEllipsis(document.title, slackLimits.header - 1) } },
    { type: 'context', elements: [mrkdwn(shownTime(document.sentAt))] },
  ]
  const end = endOf(document)
  let left = document.sections.length
  for (const group of groupNumbers(document.sections)) {
    const added = renderGroup(group, document.link)
    if (blocks.length + added.length + end.length + reservedBlocks > slackLimits.blocks) break
    if (JSON.stringify([...blocks, ...added, ...end]).length > blocksMaxCharacters) break
    blocks.push(...added)
    left -= group.length
  }
  if (left > 0) blocks.push({ type: 'context', elements: [mrkdwn(`${left} more ${left === 1 ? 'section' : 'sections'} in Querypost`)] })
  return { text: escapeMrkdwn(shortened(`${document.title}: ${document.preview}`, slackLimits.section / 10)), blocks: [...blocks, ...end] }
}

function endOf(document: ReportDocument): SlackBlock[] {
  const { listed, rest } = listDownloads(document.downloads)
  const downloads = listed.map((file) => {
    const { name, detail } = downloadLabel(file)
    return `${mrkdwnLink(file.link, name)} ${detail}`
  })
  const end: SlackBlock[] = paragraphs([...downloads, ...(rest === null ? [] : [rest])]).map(section)
  end.push({ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Querypost' }, url: document.link }] })
  if (document.note !== undefined) end.push({ type: 'context', elements: [mrkdwn(shortened(escapeMrkdwn(document.note), slackLimits.field / 2))] })
  return end
}

/** Several numbers in a row are fields of one block. */
function groupNumbers(sections: readonly ReportSection[]): ReportSection[][] {
  const groups: ReportSection[][] = []
  for (const each of sections) {
    const last = groups.at(-1)
    if (each.kind === 'number' && last?.[0]!.kind === 'number' && last.length < slackLimits.fields) last.push(each)
    else groups.push([each])
  }
  return groups
}

type NumberSection = Extract<ReportSection, { kind: 'number' }>

function renderGroup(group: ReportSection[], base: string): SlackBlock[] {
  const [first] = group
  if (first!.kind !== 'number') return renderSection(first!, base)
  const fields = (group as NumberSection[]).map(({ title, link, text, change }) => {
    const lines = [titleLink({ title, link }), `*${escapeMrkdwn(shortened(text, 200))}*`, ...(change === undefined ? [] : [escapeMrkdwn(shortened(change, 300))])]
    return mrkdwn(fitting(lines, slackLimits.field))
  })
  return [{ type: 'section', fields }]
}

function renderSection(each: Exclude<ReportSection, NumberSection>, base: string): SlackBlock[] {
  switch (each.kind) {
    case 'text':
      return renderText({ ...each, base })
    case 'chart':
      return [section(fitting([`*${titleLink(each)}*`, escapeMrkdwn(shortened(each.alt, 500))]))]
    case 'table': {
      const { heads, rows, rest } = tableCells(each, tableLimits)
      const cells = [heads.map(({ text }) => text), ...rows]
      const isRight = heads.map(({ isNumeric }) => isNumeric)
      const head = `*${titleLink(each)}*`
      const below = rest === null ? [] : [rest]
      // Rows of wide columns may be too long in all.
      for (let count = cells.length; count > 1; count--) {
        const text = [head, mrkdwnTable(cells.slice(0, count), isRight), ...(count < cells.length ? [`Showing ${count - 1} of ${each.rowCount} rows`] : below)].join('\n')
        if (text.length <= slackLimits.section) return [section(text)]
      }
      return [section(fitting([head, ...below]))]
    }
    case 'failure':
      return [section(fitting([`*${titleLink(each)}*`, escapeMrkdwn(shortened(each.reason, 1_000))]))]
  }
}

export const renderText = (text: MarkdownText): SlackBlock[] => paragraphs(readMarkdown(text).map(renderMrkdwn)).map(section)

const titleLink = ({ title, link }: { title: string; link: string }) => mrkdwnLink(link, shortened(title, 200))

/** Texts of at most the length of a section, split between paragraphs. One that is longer itself loses its end and its markup. */
function paragraphs(texts: readonly string[]): string[] {
  const sections: string[] = []
  for (const each of texts) {
    const text = each.length <= slackLimits.section ? each : withoutMarkup(each)
    const last = sections.at(-1)
    if (last !== undefined && last.length + 2 + text.length <= slackLimits.section) sections[sections.length - 1] = `${last}\n${text}`
    else sections.push(text)
  }
  return sections.filter((text) => text.trim() !== '')
}

/** Cutting inside a link or an entity would break it. */
function withoutMarkup(text: string): string {
  const plain = text.replaceAll(/<[^|>]*\|([^>]*)>/g, '$1').replaceAll('```', '')
  return shortened(plain, slackLimits.section).replace(/&\w*…$/, '…')
}

/** As many whole lines as fit. */
function fitting(lines: readonly string[], maxCharacters: number = slackLimits.section): string {
  let text = ''
  for (const line of lines) {
    const longer = text === '' ? line : `${text}\n${line}`
    if (longer.length > maxCharacters) break
    text = longer
  }
  return text === '' ? '–' : text
}
