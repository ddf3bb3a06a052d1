import { alignedColumns } from '../rendering/aligned-columns.ts'
import { type Span, type TextBlock, textOfSpans } from '../rendering/read-markdown.ts'

/** Slack's own markup ("mrkdwn"): `*bold*`, `_italic_`, `<url|text>`. Only these three characters are escaped. */
export const escapeMrkdwn = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Longer ones would leave no room for text. */
const urlMaxCharacters = 1_500

export function mrkdwnLink(url: string, text: string): string {
  const label = escapeMrkdwn(text.replaceAll(/\s+/g, ' '))
  if (url.length > urlMaxCharacters) return label
  return `<${escapeMrkdwn(url).replaceAll('|', '%7C')}|${label.replaceAll('|', '¦')}>`
}

export function renderMrkdwn(block: TextBlock): string {
  switch (block.kind) {
    case 'heading':
      return `*${escapeMrkdwn(textOfSpans(block.spans))}*`
    case 'paragraph':
      return renderSpans(block.spans)
    case 'item':
      return `${'    '.repeat(block.depth)}${block.mark} ${renderSpans(block.spans)}`
    case 'table':
      return mrkdwnTable([block.head.map(textOfSpans), ...block.rows.map((row) => row.map(textOfSpans))])
    case 'code':
      return fenced(block.text)
  }
}

/** In columns, in a font in which they align. */
export const mrkdwnTable = (rows: readonly (readonly string[])[], isRight: readonly boolean[] = []): string =>
  fenced(alignedColumns(rows, isRight).join('\n'))

/** Three backticks would end it. */
const fenced = (text: string) => `\`\`\`\n${escapeMrkdwn(text.replaceAll('```', "'''"))}\n\`\`\``

const renderSpans = (spans: readonly Span[]) => spans.map(renderSpan).join('')

/** Slack ignores markers next to a space, so they enclose only the text between. */
function renderSpan({ text, isBold, isItalic, isStruck, isCode, link }: Span): string {
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)!
  if (inner === '') return text
  let shown = link === null ? escapeMrkdwn(inner!) : mrkdwnLink(link, inner!)
  if (isCode && link === null) shown = `\`${shown.replaceAll('`', "'")}\``
  if (isStruck) shown = `~${shown}~`
  if (isItalic) shown = `_${shown}_`
  if (isBold) shown = `*${shown}*`
  return `${before}${shown}${after}`
}
