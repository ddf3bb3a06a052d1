import MarkdownIt from 'markdown-it'
import { inlineText } from './inline-text.ts'

/** HTML is recognized so that it can be left out. A line that starts with a tag, or is indented, is an ordinary paragraph. */
const reader = new MarkdownIt({ html: true }).disable(['html_block', 'code'])

/**
 * Converts Markdown to the text that a person would read aloud: links become their text, headings and emphasis lose their markup,
 * lists stay lines that start with "- " (or their number), tables stay rows, and HTML is dropped. Accepts any text, well-formed
 * Markdown or not, in linear time.
 */
export function plainText(markdown: string): string {
  const lines: string[] = []
  /** Where the last block ended in the source: blocks that were separate stay separate. */
  let endLine = 0
  let listDepth = 0
  /** The prefix of the next text: the marker of its list item. */
  let mark = ''
  let cells: string[] | undefined

  function beginBlock([firstLine, afterLine]: [number, number]): void {
    if (firstLine > endLine) lines.push('')
    endLine = afterLine
  }

  for (const token of reader.parse(markdown, {})) {
    const { type, map } = token
    if (type === 'heading_open' || type === 'paragraph_open' || type === 'table_open') beginBlock(map!)
    else if (type === 'hr' && map![0] <= endLine) endLine = map![1]
    else if (type === 'bullet_list_open' || type === 'ordered_list_open') listDepth += 1
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') listDepth -= 1
    else if (type === 'list_item_open') mark = '  '.repeat(listDepth - 1) + (token.info ? token.info + token.markup : '-')
    else if (type === 'list_item_close') mark = ''
    else if (type === 'tr_open') cells = []
    else if (type === 'tr_close') {
      lines.push(cells!.join(' | ').replace(/[ |]+$/, ''))
      cells = undefined
    } else if (type === 'fence') {
      beginBlock(map!)
      lines.push(token.content.trimEnd())
    } else if (type === 'inline') {
      const text = inlineText(token, { lineBreak: '\n' })
      if (cells) cells.push(text)
      else lines.push(mark === '' ? text : `${mark} ${text.replace(/^\[[ xX]\]\s+/, '')}`)
      mark = ''
    }
  }
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
