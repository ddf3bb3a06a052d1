import MarkdownIt, { type Token } from 'markdown-it'

/** A piece of text in one style. */
export interface Span {
  text: string
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  isCode: boolean
  /** Absolute, http or https. */
  link: string | null
}

/** Markdown as every channel can show it. A list item has its own mark, such as "•" or "2.". */
export type TextBlock =
  | { kind: 'heading' | 'paragraph'; spans: Span[] }
  | { kind: 'item'; depth: number; mark: string; spans: Span[] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string }

export interface MarkdownText {
  markdown: string
  /** Positions in the Markdown, each with a link. */
  figures: readonly { start: number; end: number; link: string }[]
  /** Relative links start here. */
  base: string
}

/** HTML is recognized so that it can be left out. A line that starts with a tag, or is indented, is an ordinary paragraph. */
const reader = new MarkdownIt({ html: true, linkify: false }).disable(['html_block', 'code'])

/**
 * Figures are marked in the source before it is parsed: one private character before each figure says which one it is, another ends
 * it. So a figure keeps its link wherever it is: in a list, in a table, in bold.
 */
const firstMark = 0xe000
const endMark = '\u{F8FF}'
const figuresMax = 0xf8ff - firstMark
const privateCharacter = /[\uE000-\uF8FF]/g
const encodedPrivateCharacter = /%EE%[89AB][\dA-F]%[89AB][\dA-F]|%EF%[89A][\dA-F]%[89AB][\dA-F]/g

/** Reads Markdown into blocks. Images become their description, HTML is dropped, and only web links are kept. */
export function readMarkdown(input: MarkdownText): TextBlock[] {
  const figures = input.figures.toSorted((a, b) => a.start - b.start).slice(0, figuresMax)
  const links = figures.map(({ link }) => link)
  const blocks: TextBlock[] = []
  const lists: { next: number | null }[] = []
  let place: { kind: 'heading' | 'paragraph' } | { kind: 'item'; depth: number; mark: string } = { kind: 'paragraph' }
  let table: Extract<TextBlock, { kind: 'table' }> | null = null
  let cells: Span[][] = []
  for (const token of reader.parse(marked(input.markdown, figures), {})) {
    switch (token.type) {
      case 'heading_open':
        place = { kind: 'heading' }
        break
      case 'bullet_list_open':
        lists.push({ next: null })
        break
      case 'ordered_list_open':
        lists.push({ next: Number(token.attrGet('start') ?? 1) })
        break
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop()
        break
      case 'list_item_open': {
        const list = lists.at(-1)!
        place = { kind: 'item', depth: lists.length - 1, mark: list.next === null ? '•' : `${list.next++}.` }
        break
      }
      case 'table_open':
        table = { kind: 'table', head: [], rows: [] }
        blocks.push(table)
        break
      case 'table_close':
        table = null
        break
      case 'tr_open':
        cells = []
        break
      case 'tr_close':
        if (table!.head.length === 0) table!.head = cells
        else table!.rows.push(cells)
        break
      case 'fence':
        blocks.push({ kind: 'code', text: token.content.replaceAll(privateCharacter, '').trimEnd() })
        break
      case 'inline': {
        const spans = spansOf(token, { links, base: input.base })
        if (table) cells.push(spans)
        else if (spans.length > 0) blocks.push({ ...place, spans })
        // What follows in the same item is a paragraph of its own.
        place = { kind: 'paragraph' }
        break
      }
    }
  }
  return blocks
}

/** Text that already has private characters loses them. Each is replaced by one space, so that positions stay valid. */
function marked(markdown: string, figures: MarkdownText['figures']): string {
  const source = markdown.replaceAll(privateCharacter, ' ')
  let result = ''
  let at = 0
  for (const [index, { start, end }] of figures.entries()) {
    if (start < at || end <= start || end > source.length) continue
    result += source.slice(at, start) + String.fromCharCode(firstMark + index) + source.slice(start, end) + endMark
    at = end
  }
  return result + source.slice(at)
}

function spansOf({ children }: Token, context: { links: string[]; base: string }): Span[] {
  const spans: Span[] = []
  const style = { isBold: false, isItalic: false, isStruck: false }
  let link: string | null = null
  let figure: string | null = null
  const add = (text: string, isCode = false) => {
    if (text === '') return
    const span: Span = { text, ...style, isCode, link: link ?? figure }
    const last = spans.at(-1)
    if (last && isSameStyle(last, span)) last.text += text
    else spans.push(span)
  }
  const addMarked = (text: string, isCode = false) => {
    for (const part of text.split(/([\uE000-\uF8FF])/)) {
      if (part === endMark) figure = null
      else if (/^[\uE000-\uF8FE]$/.test(part)) figure = context.links[part.charCodeAt(0) - firstMark] ?? null
      else add(part, isCode)
    }
  }
  for (const token of children ?? []) {
    const { type, content } = token
    if (type === 'strong_open' || type === 'strong_close') style.isBold = type === 'strong_open'
    else if (type === 'em_open' || type === 'em_close') style.isItalic = type === 'em_open'
    else if (type === 's_open' || type === 's_close') style.isStruck = type === 's_open'
    else if (type === 'link_open') link = webLink(String(token.attrGet('href')), context.base)
    else if (type === 'link_close') link = null
    else if (type === 'softbreak') add(' ')
    else if (type === 'hardbreak') add('\n')
    else if (type === 'code_inline') addMarked(content, true)
    else if (type === 'image' || type === 'text') addMarked(content)
  }
  return spans
}

const isSameStyle = (a: Span, b: Span) =>
  a.isBold === b.isBold && a.isItalic === b.isItalic && a.isStruck === b.isStruck && a.isCode === b.isCode && a.link === b.link

function webLink(href: string, base: string): string | null {
  const url = URL.parse(href.replaceAll(encodedPrivateCharacter, ''), base)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

/** Without any style. */
export const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')
