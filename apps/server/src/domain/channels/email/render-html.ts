import type { ReportDocument, ReportSection } from '../../../model/report.ts'
import { downloadLabel } from '../rendering/download-label.ts'
import { oncePerDocument } from '../rendering/once-per-document.ts'
import { readMarkdown, type Span, type TextBlock, textOfSpans } from '../rendering/read-markdown.ts'
import { shownTime } from '../rendering/shown-time.ts'
import { type TableCells, tableCells, type TableSection } from '../rendering/table-cells.ts'
import { colored, contentWidth, escapeHtml, font, linked, styleSheet } from './html-parts.ts'

/** Gmail cuts off an e-mail above 102 kB, and everything after it, the link to unsubscribe included. */
const htmlMaxBytes = 95_000
const tableLimits = { rows: 20, columns: 6 }
const numbersPerRow = 2

export interface EmailFooter {
  unsubscribeUrl: string | null
}

/** The Content-ID of an image. */
export const contentIdOf = (imageId: string) => `${imageId}@querypost`

/** A report as the HTML of an e-mail. Sections that do not fit are left to the page that the report links to. */
export const renderEmailHtml = (document: ReportDocument, footer: EmailFooter): string => page(document, renderSections(document), footer)

/** Room for the link to unsubscribe, which differs between recipients. */
const footerMaxBytes = 2_000

const renderSections = oncePerDocument((document) => {
  const rendered = groupNumbers(document.sections).map((group) => ({ count: group.length, html: renderGroup(group, document.link) }))
  const frameBytes = Buffer.byteLength(page(document, '', { unsubscribeUrl: null })) + footerMaxBytes
  let sections = ''
  let left = document.sections.length
  for (const { count, html } of rendered) {
    if (frameBytes + Buffer.byteLength(sections) + Buffer.byteLength(html) > htmlMaxBytes) break
    sections += html
    left -= count
  }
  if (left > 0) sections += paragraph(linked(document.link, `${left} more ${left === 1 ? 'section' : 'sections'} in Querypost`))
  return sections
})

function page(document: ReportDocument, sections: string, { unsubscribeUrl }: EmailFooter): string {
  const title = escapeHtml(document.title)
  const small = `${font};font-size:12px;line-height:18px`
  const lines = [
    document.note === undefined ? null : escapeHtml(document.note),
    `Sent by Querypost${unsubscribeUrl === null ? '' : ` · ${linked(unsubscribeUrl, 'Unsubscribe from this report', 'soft')}`}`,
  ].filter((line) => line !== null)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${styles}</style>
</head>
<body ${colored({ background: 'page' }, 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(document.preview)}${previewPadding}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${colored({ background: 'page' })}><tr><td class="edge" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="${contentWidth}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:${contentWidth}px">
<tr><td ${cardStyle}>
<h1 style="margin:0;${font};font-size:22px;line-height:30px;font-weight:600">${linked(document.link, title, 'ink', 'text-decoration:none')}</h1>
<p ${colored({ text: 'soft' }, `margin:4px 0 24px;${font};font-size:13px;line-height:20px`)}>${escapeHtml(shownTime(document.sentAt))}</p>
${sections}${downloads(document)}${button(document.link, 'Open in Querypost')}
</td></tr>
<tr><td align="center" ${colored({ text: 'soft' }, `padding:20px 8px;${small}`)}>${lines.join('<br>')}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}

const styles = styleSheet()

const cardStyle = colored({ background: 'surface', border: 'line', text: 'ink' }, 'padding:32px;border-width:1px;border-style:solid;border-radius:10px').replace('class="', 'class="card ')

/** Keeps mail programs from filling up the preview line with the beginning of the text. */
const previewPadding = '&#847;&zwnj;&nbsp;'.repeat(60)

/** Several numbers in a row stand side by side. */
function groupNumbers(sections: readonly ReportSection[]): ReportSection[][] {
  const groups: ReportSection[][] = []
  for (const section of sections) {
    const last = groups.at(-1)
    if (section.kind === 'number' && last?.[0]!.kind === 'number' && last.length < numbersPerRow) last.push(section)
    else groups.push([section])
  }
  return groups
}

function renderGroup(group: ReportSection[], base: string): string {
  const [first] = group
  if (first!.kind === 'number') return numbers(group as NumberSection[])
  return renderSection(first!, base)
}

function renderSection(section: Exclude<ReportSection, NumberSection>, base: string): string {
  switch (section.kind) {
    case 'text':
      return `${readMarkdown({ ...section, base }).map(renderBlock).join('')}${space(8)}`
    case 'chart': {
      const image = `<img src="cid:${escapeHtml(contentIdOf(section.imageId))}" alt="${escapeHtml(section.alt)}" width="536" style="display:block;width:100%;max-width:536px;height:auto;border:0;border-radius:6px">`
      return heading(section) + linked(section.link, image, 'soft', `${font};font-size:14px;line-height:20px`) + space(28)
    }
    case 'table':
      return heading(section) + table(section) + space(28)
    case 'failure':
      return heading(section) + paragraph(`<span ${colored({ text: 'danger' })}>${escapeHtml(section.reason)}</span>`) + space(12)
  }
}

type NumberSection = Extract<ReportSection, { kind: 'number' }>

function numbers(group: NumberSection[]): string {
  const width = group.length === 1 ? 100 : 48
  const cells = group.map(
    ({ title, link, text, change }) =>
      `<td width="${width}%" valign="top" ${colored({ border: 'line' }, 'padding:14px 16px;border-width:1px;border-style:solid;border-radius:8px')}>` +
      `<div style="${font};font-size:13px;line-height:18px">${linked(link, escapeHtml(title), 'soft', 'text-decoration:none')}</div>` +
      `<div style="${font};font-size:26px;line-height:34px;font-weight:600">${linked(link, escapeHtml(text), 'ink', 'text-decoration:none')}</div>` +
      (change === undefined ? '' : `<div ${colored({ text: 'soft' }, `${font};font-size:13px;line-height:18px`)}>${escapeHtml(change)}</div>`) +
      '</td>',
  )
  const gap = '<td width="4%" style="font-size:0;line-height:0">&nbsp;</td>'
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr>${cells.join(gap)}</tr></table>${space(16)}`
}

const heading = ({ title, link }: { title: string; link: string }) =>
  `<h2 style="margin:0 0 8px;${font};font-size:16px;line-height:24px;font-weight:600">${linked(link, escapeHtml(title), 'ink', 'text-decoration:none')}</h2>`

const paragraph = (html: string) => `<p style="margin:0 0 12px;${font};font-size:15px;line-height:23px">${html}</p>`

const space = (pixels: number) => `<div style="height:${pixels}px;line-height:${pixels}px;font-size:0">&nbsp;</div>`

function renderBlock(block: TextBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h2 style="margin:16px 0 8px;${font};font-size:16px;line-height:24px;font-weight:600">${renderSpans(block.spans)}</h2>`
    case 'paragraph':
      return paragraph(renderSpans(block.spans))
    case 'item': {
      const text = `${font};font-size:15px;line-height:23px`
      const mark = `<td width="22" valign="top" style="${text};padding:0 0 6px ${block.depth * 22}px">${escapeHtml(block.mark)}</td>`
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${mark}<td valign="top" style="${text};padding:0 0 6px">${renderSpans(block.spans)}</td></tr></table>`
    }
    case 'table':
      return (
        grid(
          block.head.map((cell, at) => ({ html: renderSpans(cell), isRight: block.rows.every((row) => isNumber(row[at])) })),
          block.rows.map((row) => row.map(renderSpans)),
        ) + space(12)
      )
    case 'code':
      return `<pre ${colored({ background: 'page', text: 'ink' }, 'margin:0 0 12px;padding:12px;border-radius:6px;font-family:Menlo,Consolas,monospace;font-size:13px;line-height:19px;white-space:pre-wrap')}>${escapeHtml(block.text)}</pre>`
  }
}

/** Digits, with signs of currencies and percent around them. */
const isNumber = (cell: Span[] = []) => /^[^\p{L}\d]{0,4}\d[\d.,\s]*[^\d]{0,4}$/u.test(textOfSpans(cell).trim())

const renderSpans = (spans: readonly Span[]) => spans.map(renderSpan).join('')

function renderSpan({ text, isBold, isItalic, isStruck, isCode, link }: Span): string {
  let html = escapeHtml(text).replaceAll('\n', '<br>')
  if (isCode) html = `<code style="font-family:Menlo,Consolas,monospace;font-size:13px">${html}</code>`
  if (isStruck) html = `<s>${html}</s>`
  if (isItalic) html = `<em>${html}</em>`
  if (isBold) html = `<strong>${html}</strong>`
  return link === null ? html : linked(link, html)
}

function table(section: TableSection): string {
  const cells: TableCells = tableCells(section, tableLimits)
  const rest = cells.rest === null ? '' : paragraphBelow(`${escapeHtml(cells.rest)} · ${linked(section.link, 'See all')}`)
  const heads = cells.heads.map(({ text, isNumeric }) => ({ html: escapeHtml(text), isRight: isNumeric }))
  return grid(heads, cells.rows.map((row) => row.map(escapeHtml))) + rest
}

const paragraphBelow = (html: string) => `<p ${colored({ text: 'soft' }, `margin:8px 0 0;${font};font-size:13px;line-height:18px`)}>${html}</p>`

/** Rows with the same style share it: a table of 20 rows is a large part of an e-mail. */
function grid(heads: { html: string; isRight: boolean }[], rows: string[][]): string {
  const cell = 'padding:7px 8px;border-width:0 0 1px;border-style:solid'
  const align = (at: number) => (heads[at]?.isRight ? ' align="right"' : ' align="left"')
  const head = heads.map(({ html }, at) => `<th${align(at)} ${colored({ text: 'soft', border: 'line' }, `${cell};font-weight:600`)}>${html}</th>`)
  const body = rows.map((row) => `<tr>${row.map((html, at) => `<td${align(at)} valign="top" ${colored({ border: 'line' }, cell)}>${html}</td>`).join('')}</tr>`)
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;${font};font-size:13px;line-height:19px"><tr>${head.join('')}</tr>${body.join('')}</table>`
}

function downloads({ downloads: files = [] }: ReportDocument): string {
  const lines = files.map((file) => {
    const { name, detail } = downloadLabel(file)
    return paragraph(`${linked(file.link, `Download ${escapeHtml(name)}`)} ${escapeHtml(detail)}`)
  })
  return lines.join('')
}

function button(href: string, label: string): string {
  const style = `display:inline-block;padding:11px 20px;${font};font-size:15px;line-height:20px;font-weight:600;text-decoration:none`
  return `${space(8)}<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td ${colored({ background: 'accent' }, 'border-radius:7px')}>${linked(href, label, 'surface', style)}</td></tr></table>`
}
