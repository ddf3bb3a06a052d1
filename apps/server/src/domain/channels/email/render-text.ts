import type { ReportDocument, ReportSection } from '../../../model/report.ts'
import { alignedColumns } from '../rendering/aligned-columns.ts'
import { downloadLabel } from '../rendering/download-label.ts'
import { oncePerDocument } from '../rendering/once-per-document.ts'
import { readMarkdown, type Span, type TextBlock, textOfSpans } from '../rendering/read-markdown.ts'
import { shownTime } from '../rendering/shown-time.ts'
import { tableCells } from '../rendering/table-cells.ts'
import type { EmailFooter } from './render-html.ts'

const tableLimits = { rows: 20, columns: 6 }

/** A report as plain text, for programs that do not show HTML. */
export const renderEmailText = (document: ReportDocument, { unsubscribeUrl }: EmailFooter): string =>
  [renderBody(document), ...(unsubscribeUrl === null ? [] : [`Unsubscribe from this report:\n${unsubscribeUrl}`])].join('\n\n')

const renderBody = oncePerDocument((document) => {
  const downloads = (document.downloads ?? []).map((file) => {
    const { name, detail } = downloadLabel(file)
    return `${name} ${detail}\n${file.link}`
  })
  return [
    document.title,
    shownTime(document.sentAt),
    ...document.sections.map((section) => renderSection(section, document.link)),
    ...downloads,
    `Open in Querypost:\n${document.link}`,
    ...(document.note === undefined ? [] : [document.note]),
  ].join('\n\n')
})

function renderSection(section: ReportSection, base: string): string {
  switch (section.kind) {
    case 'text':
      return joined(readMarkdown({ ...section, base }))
    case 'chart':
      return `${section.title}\n${section.alt}\n${section.link}`
    case 'number':
      return [`${section.title}: ${section.text}`, ...(section.change === undefined ? [] : [section.change]), section.link].join('\n')
    case 'table': {
      const cells = tableCells(section, tableLimits)
      const isRight = cells.heads.map(({ isNumeric }) => isNumeric)
      const lines = alignedColumns([cells.heads.map(({ text }) => text), ...cells.rows], isRight)
      return [section.title, ...lines, ...(cells.rest === null ? [] : [cells.rest]), section.link].join('\n')
    }
    case 'failure':
      return `${section.title}\n${section.reason}\n${section.link}`
  }
}

/** Items of a list follow each other without an empty line. */
function joined(blocks: readonly TextBlock[]): string {
  return blocks
    .map((block, at) => {
      const isNextItem = block.kind === 'item' && blocks[at - 1]?.kind === 'item'
      return `${at === 0 ? '' : isNextItem ? '\n' : '\n\n'}${renderBlock(block)}`
    })
    .join('')
}

function renderBlock(block: TextBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plain(block.spans)
    case 'item':
      return `${'  '.repeat(block.depth)}${block.mark === '•' ? '-' : block.mark} ${plain(block.spans)}`
    case 'table':
      return alignedColumns([block.head.map(textOfSpans), ...block.rows.map((row) => row.map(textOfSpans))]).join('\n')
    case 'code':
      return block.text
  }
}

/** Without the links of figures, which would make the text hard to read: the report itself is linked below. */
const plain = (spans: readonly Span[]) => spans.map(({ text, isStruck }) => (isStruck ? `~~${text}~~` : text)).join('')
