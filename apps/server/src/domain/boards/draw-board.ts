import type { Tile } from '../../model/board.ts'
import { boardLimits } from '../../model/board.ts'
import { drawContent, type ImageInput } from '../charts/draw-image.ts'
import { colors, fitted, tag, text, widthOf } from '../charts/draw/svg.ts'
import { plainText } from '../plain-text.ts'

/** What a tile shows, ready to be drawn. */
export type TileDrawing =
  | { kind: 'reference'; image: ImageInput }
  | { kind: 'text' | 'heading'; text: string }
  | { kind: 'image'; dataUrl: string }

export interface DrawnTile extends Pick<Tile, 'x' | 'y' | 'width' | 'height' | 'referenceShortId'> {
  drawing: TileDrawing
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const columnWidth = 130
const rowHeight = 80
const gap = 16
const edge = 32
const headerHeight = 84
const imageWidth = 2 * edge + boardLimits.columns * columnWidth
/** PNGs become slow to draw beyond this. A board that is longer is scaled down. */
const maxImageHeight = 8_000

/** Draws a board as SVG: its title, and its tiles as they lie on the grid. */
export function drawBoard(board: { title: string; footer: string; tiles: DrawnTile[] }): string {
  const rows = Math.max(1, ...board.tiles.map(({ y, height }) => y + height))
  const height = headerHeight + rows * rowHeight + 2 * edge
  const scale = Math.min(1, maxImageHeight / height)
  const footer = text(board.footer, { x: imageWidth - edge, y: height - 14, size: 16, color: colors.soft, anchor: 'end', maxWidth: 600 })
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: Math.round(imageWidth * scale),
      height: Math.round(height * scale),
      viewBox: `0 0 ${imageWidth} ${height}`,
      'font-family': 'DejaVu Sans',
    },
    tag('rect', { width: imageWidth, height, fill: pageColor }),
    text(board.title, { x: edge, y: edge + 34, size: 34, isBold: true, maxWidth: imageWidth - 2 * edge }),
    ...board.tiles.map((tile) => drawTile(tile.drawing, boxOf(tile))),
    footer,
  )
}

const pageColor = '#f7f5f0'

const boxOf = ({ x, y, width, height }: DrawnTile): Box => ({
  x: edge + x * columnWidth + gap / 2,
  y: headerHeight + edge / 2 + y * rowHeight + gap / 2,
  width: width * columnWidth - gap,
  height: height * rowHeight - gap,
})

/** A tile as a drawing of its own, at its place on a board that has no header. */
export function drawSingleTile(tile: DrawnTile): { svg: string; box: Box } {
  const placed = boxOf(tile)
  const box = { ...placed, x: placed.x - edge, y: placed.y - headerHeight - edge / 2 }
  const { width, height } = box
  const content = drawTile(tile.drawing, { x: 0, y: 0, width, height })
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': 'DejaVu Sans' }
  return { svg: tag('svg', attributes, tag('rect', { width, height, fill: colors.paper }), content), box }
}

/** The width of the tiles of a board, in the units of their boxes. */
export const tilesWidth = boardLimits.columns * columnWidth

/** One tile as a nested drawing. */
export function drawTile(drawing: TileDrawing, box: Box): string {
  switch (drawing.kind) {
    case 'reference':
      return card(box, drawReference(drawing.image, box))
    case 'heading':
      return text(drawing.text, { x: box.x, y: box.y + box.height / 2 + 10, size: 28, isBold: true, maxWidth: box.width })
    case 'text':
      return card(box, drawText(plainText(drawing.text), box))
    case 'image':
      return tag('image', { ...box, href: drawing.dataUrl, preserveAspectRatio: 'xMidYMid meet' })
  }
}

const card = (box: Box, content: string) =>
  tag('rect', { ...box, rx: 8, fill: colors.paper, stroke: colors.line, 'stroke-width': 1 }) + content

/** Charts are drawn with texts for an image of their own, which is larger. */
const chartScale = 1.8
const titleSize = 28

/** The title of a tile, and its chart, table or number below. */
function drawReference(image: ImageInput, box: Box): string {
  const [width, height] = [box.width * chartScale, box.height * chartScale]
  const inset = 24
  const content = { left: inset, right: width - inset, top: inset + titleSize + 16, bottom: height - inset }
  return tag(
    'svg',
    { ...box, viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}` },
    text(image.title, { x: inset, y: inset + titleSize - 4, size: titleSize, isBold: true, maxWidth: width - 2 * inset }),
    drawContent(image, content),
  )
}

const textSize = 18
const lineHeight = 27

/** As many lines as fit. The last one ends with an ellipsis if there are more. */
function drawText(content: string, box: Box): string {
  const maxWidth = box.width - 2 * gap
  const lines = content.split('\n').flatMap((line) => wrapped(line, maxWidth))
  const count = Math.max(1, Math.floor((box.height - gap) / lineHeight))
  const shown = lines.length <= count ? lines : [...lines.slice(0, count - 1), `${lines[count - 1]!} …`]
  return shown
    .map((line, at) => text(line, { x: box.x + gap, y: box.y + gap + textSize + at * lineHeight, size: textSize, maxWidth }))
    .join('')
}

function wrapped(line: string, maxWidth: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/\s+/)) {
    const longer = current === '' ? word : `${current} ${word}`
    if (current !== '' && widthOf(longer, { size: textSize }) > maxWidth) {
      lines.push(current)
      current = word
    } else current = longer
  }
  return [...lines, fitted(current, { size: textSize, maxWidth })]
}
