import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ReportDocument, ReportSection } from '../../../model/report.ts'
import { shortened } from '../../shortened.ts'
import { downloadLabel, listDownloads } from '../rendering/download-label.ts'
import { readMarkdown, type Span, type TextBlock, textOfSpans } from '../rendering/read-markdown.ts'
import { shownTime } from '../rendering/shown-time.ts'
import { tableCells } from '../rendering/table-cells.ts'

/** The elements of an adaptive card that reports use; Teams shows version 1.5. */
export type CardElement =
  | { type: 'TextBlock'; text: string; wrap: true; size?: 'Large' | 'Medium' | 'ExtraLarge' | 'Small'; weight?: 'Bolder'; isSubtle?: true; color?: 'Attention'; fontType?: 'Monospace'; spacing?: 'None' | 'Small'; separator?: true }
  | { type: 'Image'; url: string; altText: string; selectAction: OpenUrl }
  | { type: 'Table'; columns: { width: number }[]; rows: { type: 'TableRow'; cells: TableCell[] }[]; firstRowAsHeader: boolean }

interface TableCell {
  type: 'TableCell'
  items: { type: 'TextBlock'; text: string; wrap: true; weight?: 'Bolder'; horizontalAlignment?: 'Right' }[]
}

interface OpenUrl {
  type: 'Action.OpenUrl'
  title: string
  url: string
}

export interface AdaptiveCard {
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json'
  type: 'AdaptiveCard'
  version: '1.5'
  msteams: { width: 'Full' }
  /** Shown in notifications. */
  fallbackText: string
  body: CardElement[]
  actions: OpenUrl[]
}

export interface TeamsMessage {
  type: 'message'
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive'; contentUrl: null; content: AdaptiveCard }]
}

/**
 * Teams refuses messages of more than about 28 kB. It does not document how it counts, and messages well below have been refused, so
 * this stays clear of the limit.
 */
const messageMaxBytes = 20_000
/** A picture of this size leaves enough room for text. */
const imageMaxBytes = 9_000
const tableLimits = { rows: 10, columns: 5 }
const paragraphMaxCharacters = 2_000

/** A report as an adaptive card. Sections that do not fit are left to the page that the report links to. */
export function renderTeamsMessage(document: ReportDocument, images: ReadonlyMap<string, Uint8Array>): TeamsMessage {
  const head = [
    text(escapeText(shortened(document.title, 200)), { size: 'Large', weight: 'Bolder' }),
    text(shownTime(document.sentAt), { size: 'Small', isSubtle: true, spacing: 'None' }),
  ]
  const { listed, rest } = listDownloads(document.downloads)
  const end = [
    ...listed.map((file) => {
      const { name, detail } = downloadLabel(file)
      return text(`${markdownLink(shortened(name, 100), file.link)} ${detail}`)
    }),
    ...(rest === null ? [] : [text(rest, { isSubtle: true })]),
    ...(document.note === undefined ? [] : [text(escapeText(shortened(document.note, 500)), { size: 'Small', isSubtle: true })]),
  ]
  let body: CardElement[] = []
  let left = document.sections.length
  for (const section of document.sections) {
    const longer = [...body, ...renderSection(section, { base: document.link, images })]
    // Room for the line that says what is missing.
    if (sizeOf(wrapped(document, [...head, ...longer, ...end])) + 300 > messageMaxBytes) break
    body = longer
    left -= 1
  }
  const missing = left === 0 ? [] : [text(`${left} more ${left === 1 ? 'section' : 'sections'} in Querypost`, { isSubtle: true })]
  return wrapped(document, [...head, ...body, ...missing, ...end])
}

function wrapped(document: ReportDocument, body: CardElement[]): TeamsMessage {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    msteams: { width: 'Full' },
    fallbackText: escapeText(shortened(`${document.title}: ${document.preview}`, 300)),
    body,
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Querypost', url: document.link }],
  } as const
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: { ...content, actions: [...content.actions] } }] }
}

const sizeOf = (message: TeamsMessage) => Buffer.byteLength(JSON.stringify(message))

type TextStyle = Omit<Extract<CardElement, { type: 'TextBlock' }>, 'type' | 'text' | 'wrap'>
const text = (content: string, style: TextStyle = {}): CardElement => ({ type: 'TextBlock', text: content, wrap: true, ...style })

function renderSection(section: ReportSection, context: { base: string; images: ReadonlyMap<string, Uint8Array> }): CardElement[] {
  switch (section.kind) {
    case 'text':
      return readMarkdown({ ...section, base: context.base }).flatMap(renderBlock)
    case 'number': {
      const lines = [
        heading(section),
        text(escapeText(shortened(section.text, 100)), { size: 'ExtraLarge', weight: 'Bolder', spacing: 'None' }),
        ...(section.change === undefined ? [] : [text(escapeText(shortened(section.change, 200)), { isSubtle: true, spacing: 'None' })]),
      ]
      return lines
    }
    case 'chart': {
      const bytes = context.images.get(section.imageId)
      if (!bytes || bytes.byteLength > imageMaxBytes) return [heading(section), text(escapeText(shortened(section.alt, 500)), { spacing: 'None' })]
      const url = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
      const selectAction = { type: 'Action.OpenUrl', title: shortened(section.title, 100), url: section.link } as const
      return [heading(section), { type: 'Image', url, altText: shortened(section.alt, 500), selectAction }]
    }
    case 'table': {
      const { heads, rows, rest } = tableCells(section, tableLimits)
      const isRight = heads.map(({ isNumeric }) => isNumeric)
      return [
        heading(section),
        table([heads.map((each) => escapeText(each.text)), ...rows.map((row) => row.map(escapeText))], isRight),
        ...(rest === null ? [] : [text(rest, { size: 'Small', isSubtle: true })]),
      ]
    }
    case 'failure':
      return [heading(section), text(escapeText(shortened(section.reason, 500)), { color: 'Attention', spacing: 'None' })]
  }
}

const heading = ({ title, link }: { title: string; link: string }) => text(markdownLink(shortened(title, 200), link), { weight: 'Bolder', separator: true })

function renderBlock(block: TextBlock): CardElement[] {
  switch (block.kind) {
    case 'heading':
      return [text(escapeText(textOfSpans(block.spans)), { size: 'Medium', weight: 'Bolder' })]
    case 'paragraph':
      return [text(renderSpans(block.spans))]
    case 'item':
      return [text(`${'\u{A0}'.repeat(4 * block.depth)}${block.mark === '•' ? '•' : block.mark.replace('.', '\\.')} ${renderSpans(block.spans)}`, { spacing: 'Small' })]
    case 'table':
      return [table([block.head, ...block.rows].slice(0, tableLimits.rows + 1).map((row) => row.map(renderSpans)))]
    case 'code':
      return [text(escapeText(shortened(block.text, paragraphMaxCharacters)), { fontType: 'Monospace' })]
  }
}

function table(rows: readonly (readonly string[])[], isRight: readonly boolean[] = []): CardElement {
  const columns = (rows[0] ?? []).map(() => ({ width: 1 }))
  return {
    type: 'Table',
    firstRowAsHeader: true,
    columns,
    rows: rows.map((row, line) => ({
      type: 'TableRow',
      cells: columns.map((_, at) => ({
        type: 'TableCell',
        items: [{ type: 'TextBlock', text: row[at] ?? '', wrap: true, ...(line === 0 && { weight: 'Bolder' as const }), ...(isRight[at] && { horizontalAlignment: 'Right' as const }) }],
      })),
    })),
  }
}

/** Cards understand bold, italic and links. A paragraph that is too long loses its markup with its end. */
function renderSpans(spans: readonly Span[]): string {
  const shown = spans.map(renderSpan).join('')
  return shown.length <= paragraphMaxCharacters ? shown : escapeText(withEllipsis(textOfSpans(spans), paragraphMaxCharacters / 2))
}

function renderSpan({ text: content, isBold, isItalic, isStruck, link }: Span): string {
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(content)!
  if (inner === '') return content
  let shown = link === null ? escapeText(inner!) : markdownLink(inner!, link)
  if (isStruck) shown = `~~${shown}~~`
  if (isItalic) shown = `_${shown}_`
  if (isBold) shown = `**${shown}**`
  return `${before}${shown.replaceAll('\n', '\n\n')}${after}`
}

/** Text that looks like Markdown stays text. */
const escapeText = (content: string) => content.replaceAll(/[\\`*_[\]~]/g, String.raw`\$&`).replace(/^(\s*)([-+#>]|\d+\.)(?=\s)/, String.raw`$1\$2`)

const markdownLink = (label: string, url: string) => `[${escapeText(label)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`
