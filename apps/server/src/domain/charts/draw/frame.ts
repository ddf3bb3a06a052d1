import { colors, tag, text, widthOf } from './svg.ts'

export const width = 1200
export const height = 630

/** The area that a chart may draw in. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const edge = 56
const titleSize = 40
const noteAt = { x: width - edge, y: height - 26, anchor: 'end' } as const

/** The whole image: the title, the drawing, and the footer. */
export function frame(input: {
  title: string
  footer: string
  note: string | undefined
  draw(box: Box): string
}): string {
  const lines = wrapped(input.title)
  const top = edge + lines.length * (titleSize + 8) + 20
  return tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': 'DejaVu Sans' },
    tag('rect', { width, height, fill: colors.paper }),
    tag('rect', { width, height: 10, fill: colors.accent }),
    ...lines.map((line, at) => {
      const y = edge + 36 + at * (titleSize + 8)
      return text(line, { x: edge, y, size: titleSize, isBold: true, maxWidth: width - 2 * edge })
    }),
    input.draw({ left: edge, right: width - edge, top, bottom: height - 84 }),
    tag('rect', { x: edge, y: height - 63, width: width - 2 * edge, height: 2, fill: colors.line }),
    text(input.footer, { x: edge, y: height - 26, size: 20, color: colors.soft, maxWidth: 420 }),
    input.note === undefined ? '' : text(input.note, { ...noteAt, size: 18, color: colors.soft, maxWidth: 640 }),
  )
}

/** At most two lines; the second is shortened when it is drawn. */
function wrapped(title: string): string[] {
  const maxWidth = width - 2 * edge
  const words = title.trim().split(/\s+/)
  let first = ''
  while (words.length > 0) {
    const longer = first === '' ? words[0]! : `${first} ${words[0]}`
    if (first !== '' && widthOf(longer, { size: titleSize, isBold: true }) > maxWidth) break
    first = longer
    words.shift()
  }
  return words.length === 0 ? [first] : [first, words.join(' ')]
}

export function message(content: string, box: Box): string {
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, anchor: 'middle' } as const
  return text(content, { ...middle, size: 30, color: colors.soft, maxWidth: box.right - box.left })
}
