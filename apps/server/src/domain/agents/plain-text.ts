import { plainInline } from './plain-inline.ts'

/**
 * Markdown as the text that a person would read aloud: links are their text, headings and emphasis lose their marks, lists stay
 * lines that begin with "- " (or their number), tables stay rows, HTML goes. It takes any text, well-formed Markdown or not, in a
 * time that grows with its length.
 */
export function plainText(markdown: string): string {
  const said: string[] = []
  /** Lines of one paragraph, heading or list item: emphasis and links may go from one line to the next. */
  let open: string[] = []
  let fence: string | undefined
  const endParagraph = () => {
    if (open.length > 0) said.push(plainInline(open.join('\n')))
    open = []
  }
  for (const line of markdown.replaceAll(/\r\n?/g, '\n').split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      else said.push(line)
      continue
    }
    if (mark !== undefined) {
      endParagraph()
      fence = mark
      continue
    }
    const block = readBlock(line.replace(/^(?: {0,3}> ?)+/, ''))
    if (block.begins) endParagraph()
    if (block.text !== undefined) open.push(block.text)
  }
  endParagraph()
  return said
    .map((text) => text.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** What a line says, if anything, and whether a new paragraph begins with it. */
function readBlock(line: string): { text?: string; begins: boolean } {
  const trimmed = line.trim()
  if (trimmed === '') return { text: '', begins: true }
  if (isRule(trimmed.replaceAll(/\s+/g, ''))) return { begins: true }
  const heading = /^ {0,3}#{1,6}(?:\s+([^]*))?$/.exec(line)
  if (heading) return { text: (heading[1] ?? '').replace(/(?:^|\s)#+\s*$/, ''), begins: true }
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?([^]*)$/.exec(line)
  if (item) return { text: `${item[1]}${/\d/.test(item[2]!) ? item[2] : '-'} ${item[3]}`, begins: true }
  const isRow = trimmed.length > 1 && trimmed.startsWith('|') && trimmed.endsWith('|')
  if (isRow) return { text: trimmed.slice(1, -1).split('|').map((cell) => cell.trim()).join(' | '), begins: true }
  return { text: line.replace(/^ {1,3}/, ''), begins: false }
}

/** A line between paragraphs, one under a heading, or one under the head of a table; told without its spaces. */
const isRule = (line: string) => /^([-*_])\1{2,}$|^=+$/.test(line) || /^\|?:?-+:?(?:\|:?-*:?)+$/.test(line)
