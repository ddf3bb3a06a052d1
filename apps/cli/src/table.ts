import type { Paint } from './paint.ts'

export interface Column {
  name: string
  /** Numbers are aligned to the right. */
  isNumber: boolean
  /** Shown whole even if the table gets too wide: for text to copy. */
  isNeverCut?: boolean
}

const gap = '  '
const minWidth = 4
/** Columns wider than this are shortened before others are left out. */
const shortenedWidth = 12

/** Draws a table that fits a width: the widest columns are shortened first, then the last ones are left out. */
export function drawTable(options: {
  columns: Column[]
  rows: unknown[][]
  /** Undefined: as wide as the content. */
  width: number | undefined
  paint: Paint
}): { text: string; leftOut: number } {
  const { columns, rows, paint } = options
  const cells = rows.map((row) => row.map(cellText))
  const natural = columns.map(({ name }, index) =>
    cells.reduce(
      (widest, row) => Math.max(widest, displayWidth(row[index] ?? '')),
      Math.max(minWidth, displayWidth(cellText(name))),
    ),
  )
  const isFixed = columns.map(({ isNeverCut }) => isNeverCut === true)
  const widths = options.width === undefined ? natural : fit(natural, options.width, isFixed)
  const line = (texts: string[], shade: (text: string, index: number) => string) =>
    widths
      .map((width, index) => shade(align(texts[index] ?? '', { width, isRight: columns[index]!.isNumber }), index))
      .join(gap)
      .trimEnd()
  const head = line(
    columns.map(({ name }) => cellText(name)),
    paint.bold,
  )
  const rule = paint.dim(widths.map((width) => '─'.repeat(width)).join(gap))
  const body = cells.map((row, number) =>
    line(row, (text, index) => (rows[number]![index] === null ? paint.dim(text) : text)),
  )
  return { text: [head, rule, ...body].map((one) => `${one}\n`).join(''), leftOut: columns.length - widths.length }
}

/** The widths of as many columns as fit. */
export function fit(natural: number[], width: number, isFixed: boolean[] = []): number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap.length * Math.max(0, widths.length - 1)
  while (total() > width) {
    const widest = Math.max(...widths.filter((_, index) => !isFixed[index]))
    if (widest > shortenedWidth) widths[widths.findIndex((one, index) => one === widest && !isFixed[index])] = widest - 1
    else if (widths.length > 1) widths.pop()
    else return isFixed[0] ? widths : [Math.max(minWidth, Math.min(widths[0]!, width))]
  }
  return widths
}

/** A value on one line, with control characters escaped: data may come from strangers and must not control the terminal. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return textOf(value)
    .replaceAll(/\r?\n/g, '⏎')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
      // The zero-width joiner is harmless and joins the parts of an emoji.
      if (character === '\u200d') return character
      return `\\u{${character.codePointAt(0)!.toString(16)}}`
    })
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch (error) {
    // JSON.stringify overflows the stack on very deep nesting.
    if (error instanceof RangeError) return '(JSON nested too deeply to show; use --format json)'
    throw error
  }
}

function align(text: string, { width, isRight }: { width: number; isRight: boolean }): string {
  const cut = displayWidth(text) > width ? `${startOf(text, width - 1)}…` : text
  const room = ' '.repeat(Math.max(0, width - displayWidth(cut)))
  return isRight ? room + cut : cut + room
}

const segments = new Intl.Segmenter()
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{RI}/u

/** How many terminal columns a text takes. */
export function displayWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segments.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

function startOf(text: string, width: number): string {
  let start = ''
  let taken = 0
  for (const { segment } of segments.segment(text)) {
    taken += displayWidth(segment)
    if (taken > width) break
    start += segment
  }
  return start
}
