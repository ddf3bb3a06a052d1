import { removeMarks } from './marks.ts'
import { type Inline, parseInline } from './parse-inline.ts'

/** The subset of Markdown that agents use: paragraphs, headings, lists, code, tables. No images, no HTML. */
export type Block =
  | { kind: 'paragraph' | 'heading'; children: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: ListItem[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }

export interface ListItem {
  children: Inline[]
  nested: Block[]
}

const fence = /^\s*(```|~~~)/
const heading = /^#{1,6}\s+(.+?)\s*#*$/
const listLine = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const tableRule = /^[\s|:-]*-[\s|:-]*$/
const rule = /^\s*([-*_])\s*(\1\s*){2,}$/

export function parseBlocks(markdown: string): Block[] {
  const lines = markdown.replaceAll('\r', '').split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  let at = 0

  function endParagraph(): void {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) })
    paragraph = []
  }
  function put(block: Block): void {
    endParagraph()
    blocks.push(block)
  }
  /** Takes lines while the test holds. */
  function take(test: (line: string) => boolean): string[] {
    const from = at
    while (at < lines.length && test(lines[at]!)) at++
    return lines.slice(from, at)
  }

  while (at < lines.length) {
    const line = lines[at]!
    const mark = fence.exec(line)?.[1]
    if (mark !== undefined) {
      at++
      put({ kind: 'code', text: removeMarks(take((next) => !next.trim().startsWith(mark)).join('\n')) })
      at++
    } else if (line.trim() === '' || rule.test(line)) {
      endParagraph()
      at++
    } else if (heading.test(line)) {
      put({ kind: 'heading', children: parseInline(heading.exec(line)![1]!) })
      at++
    } else if (listLine.test(line)) {
      const isPart = (next: string) => listLine.test(next) || (/^\s+\S/.test(next) && !fence.test(next))
      for (const list of listsOf(take(isPart))) put(list)
    } else if (line.includes('|') && isTableRule(lines[at + 1])) {
      const head = cellsOf(line)
      at += 2
      const rows = take((next) => next.includes('|')).map((row) => head.map((_, cell) => cellsOf(row)[cell] ?? []))
      put({ kind: 'table', head, rows })
    } else {
      paragraph.push(line.trim())
      at++
    }
  }
  endParagraph()
  return blocks
}

const isTableRule = (line: string | undefined) => line !== undefined && line.includes('|') && tableRule.test(line)

function cellsOf(line: string): Inline[][] {
  const inner = line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim()))
}

interface Line {
  indent: number
  isOrdered: boolean
  text: string
}

/** More deeply nested lists are shown at this indentation. */
const maxIndent = 12

function listsOf(lines: string[]): Block[] {
  const read: Line[] = []
  for (const line of lines) {
    const [, spaces, mark, text] = listLine.exec(line) ?? []
    if (mark === undefined) read.at(-1)!.text += `\n${line.trim()}`
    else read.push({ indent: Math.min(spaces!.length, maxIndent), isOrdered: /\d/.test(mark), text: text! })
  }
  return nest(read)
}

/** A line that is indented more than the one above it is nested in it. */
function nest(lines: Line[]): Block[] {
  const lists: (Block & { kind: 'list' })[] = []
  for (let at = 0; at < lines.length; ) {
    const { indent, isOrdered, text } = lines[at]!
    let end = at + 1
    while (end < lines.length && lines[end]!.indent > indent) end++
    const item = { children: parseInline(text), nested: nest(lines.slice(at + 1, end)) }
    const last = lists.at(-1)
    if (last?.isOrdered === isOrdered) last.items.push(item)
    else lists.push({ kind: 'list', isOrdered, items: [item] })
    at = end
  }
  return lists
}
