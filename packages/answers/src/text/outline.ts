import { monthOf } from '../words/calendar-words.ts'
import { readTokens, type Token } from './tokens.ts'

/**
 * The text as sentences with their *frames*: the places that tell readers what a sentence is about when it does not say so itself. A
 * sentence's frames are, from near to far: the sentences before it in its paragraph; for a table cell, its row and its column's header;
 * the list items around it and the paragraph that leads to its list or table; the headings above it.
 */
export interface Sentence {
  tokens: Token[]
  /** The sentences before it in its paragraph, the nearest first. */
  before: Token[][]
  /** The other frames. */
  around: Token[][]
}

interface Line {
  start: number
  end: number
  text: string
}

interface Item {
  indent: number
  tokens: Token[]
}

/**
 * How many frames of a kind are kept, the nearest first. A sentence far away no longer tells readers what this one is about, and without
 * a limit the time to judge a text would grow with the square of its length.
 */
const maxFrames = 12

export function readOutline(markdown: string): Sentence[] {
  const lines = linesOf(markdown)
  const sentences: Sentence[] = []
  const headings: { level: number; tokens: Token[] }[] = []
  /** The paragraph that leads to the next list or table, its last sentence first. */
  let lead: Token[][] = []
  let items: Item[] = []
  let markers = new Map<number, number>()

  const headingFrames = () => headings.map(({ tokens }) => tokens).toReversed()

  function addHeading(level: number, line: Line): void {
    const tokens = readTokens(markdown, line.start, line.end)
    while (headings.length > 0 && headings.at(-1)!.level >= level) headings.pop()
    for (const sentence of splitSentences(tokens)) sentences.push({ tokens: sentence, before: [], around: headingFrames() })
    headings.push({ level, tokens })
    lead = []
    items = []
  }

  function addText(from: number, to: number, outer: Token[][]): Token[][] {
    let before: Token[][] = []
    for (const tokens of splitSentences(readTokens(markdown, from, to))) {
      sentences.push({ tokens, before, around: outer })
      before = [tokens, ...before.slice(0, maxFrames - 1)]
    }
    return before
  }

  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    const heading = /^ {0,3}(#{1,6})(?= )/.exec(line.text)
    const marker = listMarker.exec(line.text)
    if (line.text.trim() === '' || isRule(line.text)) {
      if (isRule(line.text)) lead = []
      at++
    } else if (heading) {
      addHeading(heading[1]!.length, { ...line, start: line.start + heading[0].length })
      at++
    } else if (isTableStart(lines, at)) {
      at = addTable(at)
    } else if (marker) {
      const end = endOfItem(lines, at)
      const indent = marker[1]!.length
      items = items.filter((item) => item.indent < indent)
      const from = line.start + (isExpected(markers, indent, marker[2]!) ? marker[0].length : indent)
      const outer = [...items.slice(-maxFrames).map(({ tokens }) => tokens).toReversed(), ...lead, ...headingFrames()]
      const own = addText(from, lines[end - 1]!.end, outer)
      items.push({ indent, tokens: own.flat() })
      at = end
    } else if (/^\s*```/.test(line.text)) {
      at = addCode(at)
    } else {
      let end = at + 1
      while (end < lines.length && !startsBlock(lines, end)) end++
      const isHeading = end === at + 1 && /^\s*\*\*[^*]+\*\*:?\s*$/.test(line.text)
      if (isHeading) addHeading(boldLevel, line)
      else lead = addText(line.start, lines[end - 1]!.end, headingFrames())
      items = []
      markers = new Map()
      at = end
    }
  }
  return sentences

  function addCode(first: number): number {
    let end = first + 1
    while (end < lines.length && !/^\s*```/.test(lines[end]!.text)) end++
    if (end > first + 1) addText(lines[first + 1]!.start, lines[end - 1]!.end, headingFrames())
    return end + 1
  }

  function addTable(first: number): number {
    const outer = [...lead, ...headingFrames()]
    const heads = cellsOf(lines[first]!).map(({ start, end }) => readTokens(markdown, start, end))
    for (const tokens of heads) sentences.push({ tokens, before: [], around: outer })
    let end = first + 2
    for (; end < lines.length && lines[end]!.text.includes('|'); end++) {
      const cells = cellsOf(lines[end]!).map((cell) => readTokens(markdown, cell.start, cell.end))
      for (const [column, tokens] of cells.entries()) {
        const row = cells.slice(0, maxCellsOfRow).filter((_, other) => other !== column).flat()
        const frames = [row, heads[column] ?? [], ...outer]
        for (const sentence of splitSentences(tokens)) sentences.push({ tokens: sentence, before: [], around: frames })
      }
    }
    return end
  }
}

/** The cells of a row that name what the row is about. Each is a frame of all the others. */
const maxCellsOfRow = 20
/** A line that is all bold is a heading below all others. */
const boldLevel = 7
const listMarker = /^(\s*)([-*+•]|\d{1,9}[.)])\s+/
const isRule = (text: string) => /^\s*([-*_])\s*(\1\s*){2,}$/.test(text)
const isTableRule = (text: string | undefined) => text !== undefined && text.includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(text)
const isTableStart = (lines: Line[], at: number) => lines[at]!.text.includes('|') && isTableRule(lines[at + 1]?.text)

function startsBlock(lines: Line[], at: number): boolean {
  const { text } = lines[at]!
  const isMarked = /^ {0,3}#{1,6} /.test(text) || listMarker.test(text) || /^\s*```/.test(text)
  return text.trim() === '' || isMarked || isRule(text) || isTableStart(lines, at)
}

/** Ordered items count up from one. Another number could be a figure in disguise. */
function isExpected(markers: Map<number, number>, indent: number, marker: string): boolean {
  for (const deeper of [...markers.keys()].filter((other) => other > indent)) markers.delete(deeper)
  if (!/\d/.test(marker)) {
    markers.delete(indent)
    return true
  }
  const number = Number.parseInt(marker, 10)
  const isNext = number === (markers.get(indent) ?? 0) + 1
  if (isNext) markers.set(indent, number)
  return isNext
}

function endOfItem(lines: Line[], first: number): number {
  let end = first + 1
  while (end < lines.length && !startsBlock(lines, end) && /^\s+\S/.test(lines[end]!.text)) end++
  return end
}

function linesOf(markdown: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const text of markdown.split('\n')) {
    lines.push({ start, end: start + text.length, text })
    start += text.length + 1
  }
  return lines
}

function cellsOf({ start, text }: Line): { start: number; end: number }[] {
  const cells: { start: number; end: number }[] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const isEnd = at === text.length
    if (!isEnd && (text[at] !== '|' || text[at - 1] === '\\')) continue
    const isOuter = text.slice(from, at).trim() === '' && (from === 0 || isEnd)
    if (!isOuter) cells.push({ start: start + from, end: start + at })
    from = at + 1
  }
  return cells
}

const abbreviations = new Set('vs e g i approx no nr ca dr mr mrs st inc bzw z b env aprox resp max min avg fig etc'.split(' '))

/** Longer ones are cut at a space that is not near a figure, so that the time to judge a text grows with its length only. */
const maxSentence = 150

/** A sentence ends at a period, question mark or exclamation mark that is followed by a space and not part of an abbreviation or date. */
function splitSentences(tokens: Token[]): Token[][] {
  const sentences: Token[][] = []
  let from = 0
  for (let at = 0; at < tokens.length - 1; at++) {
    const next = tokens[at + 1]!
    if (at - from >= maxSentence && next.hasGap && !hasFigureNear(tokens, at)) {
      sentences.push(tokens.slice(from, at + 1))
      from = at + 1
    }
    if (!/^[.!?。！？]$/.test(tokens[at]!.text)) continue
    const before = tokens[at - 1]
    if (!next.hasGap && !/[。！？]/.test(tokens[at]!.text)) continue
    if (tokens[at]!.text === '.' && before?.kind === 'word' && (abbreviations.has(before.fold) || isMonthShort(before.fold))) continue
    // "22. Dezember" is a date.
    if (tokens[at]!.text === '.' && before?.kind === 'number' && monthOf(next.fold) !== undefined) continue
    if (next.kind === 'word' && /^\p{Ll}/u.test(next.text)) continue
    sentences.push(tokens.slice(from, at + 1))
    from = at + 1
  }
  if (from < tokens.length) sentences.push(tokens.slice(from))
  return sentences
}

/** How far the words may be from a figure that change its meaning. */
const figureDistance = 6

const hasFigureNear = (tokens: readonly Token[], at: number) =>
  tokens.slice(Math.max(0, at - figureDistance), at + figureDistance + 1).some(({ kind }) => kind === 'figure')

const isMonthShort = (word: string) => word.length <= 4 && word !== 'may' && monthOf(word) !== undefined
