import { fontFile, renderOpaquePng } from '../charts/png.ts'
import { plainText } from '../plain-text.ts'
import { type Box, drawSingleTile, type DrawnTile, tilesWidth } from './draw-board.ts'
import { layOutPages } from './lay-out-pages.ts'

export interface BoardPages {
  title: string
  footer: string
  /** The board's page. */
  link: string
  /** The page of a query, unless it was deleted. */
  linkOf(referenceShortId: string): string | undefined
  /** A board without tabs has one, without a title. */
  tabs: { title: string | null; tiles: DrawnTile[] }[]
  createdAt: Date
}

/** A4 in landscape format, in points. */
const page = { width: 841.89, height: 595.28 }
const margin = 28
const headerHeight = 34
const footerHeight = 16
const scale = (page.width - 2 * margin) / tilesWidth
const contentHeight = page.height - 2 * margin - headerHeight - footerHeight
/** Sharp in print: two pixels for each unit of a drawing, about 300 per inch. */
const pixelsPerUnit = 2
const colors = { ink: '#20262a', soft: '#5d6468', accent: '#285e66' }

/** A board on A4 pages: its tiles lie as on the board and are not cut. Text is text, with its font in the file; tiles are linked. */
export async function writeBoardPdf(board: BoardPages): Promise<Buffer> {
  // A megabyte of code that few processes ever need.
  const { default: PdfDocument } = await import('pdfkit')
  const info = { Title: board.title, Creator: 'Querypost', Producer: 'Querypost', CreationDate: board.createdAt }
  // Without a font, PDFKit would load one from its own files, which a bundle does not have.
  const font = fontFile('DejaVuSans')
  const document = new PdfDocument({ size: [page.width, page.height], margin: 0, autoFirstPage: false, lang: 'en', displayTitle: true, font, info })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject))
  document.registerFont('regular', font).registerFont('bold', fontFile('DejaVuSans-Bold'))

  const line = (text: string, options: { x: number; y: number; width: number; size: number; font: 'regular' | 'bold'; color: string; align?: 'right'; link?: string }) => {
    const { x, y, size, font, color, ...rest } = options
    document.font(font).fontSize(size).fillColor(color)
    document.text(text.replaceAll(/\s+/g, ' '), x, y, { ...rest, height: size * 1.2, lineBreak: true, ellipsis: true })
  }
  const width = page.width - 2 * margin
  let number = 0
  for (const { title, tiles } of board.tabs) {
    const drawn = tiles.map((tile) => {
      const { svg, box } = drawSingleTile(tile)
      return { tile, svg, box, y: box.y, height: box.height }
    })
    const pages = layOutPages(drawn, contentHeight / scale)
    for (const { top, things } of pages.length === 0 ? [{ top: 0, things: [] }] : pages) {
      document.addPage()
      number += 1
      line(title === null ? board.title : `${board.title} · ${title}`, { x: margin, y: margin, width, size: 15, font: 'bold', color: colors.ink, link: board.link })
      const footerY = page.height - margin - 9
      line(board.footer, { x: margin, y: footerY, width: width - 60, size: 8, font: 'regular', color: colors.soft })
      line(`Page ${number}`, { x: page.width - margin - 60, y: footerY, width: 60, size: 8, font: 'regular', color: colors.soft, align: 'right' })
      for (const { tile, svg, box } of things) {
        const place = placeOf(box, top)
        const { drawing, referenceShortId } = tile
        if (drawing.kind === 'heading') {
          line(drawing.text, { ...place, y: place.y + place.height / 2 - 7, size: 13, font: 'bold', color: colors.ink })
        } else if (drawing.kind === 'text') {
          document.font('regular').fontSize(9).fillColor(colors.ink)
          document.text(plainText(drawing.text), place.x + 6, place.y + 6, { width: place.width - 12, height: place.height - 12, ellipsis: true })
        } else {
          document.image(await renderOpaquePng(svg, pixelsPerUnit), place.x, place.y, { width: place.width, height: place.height })
          const target = referenceShortId === undefined ? undefined : board.linkOf(referenceShortId)
          if (target !== undefined) document.link(place.x, place.y, place.width, place.height, target)
        }
      }
    }
  }
  document.end()
  await ended
  return Buffer.concat(pieces)
}

/** On the page. A tile that is higher than a page is scaled down. */
function placeOf(box: Box, top: number): Box {
  const fit = Math.min(1, contentHeight / scale / box.height)
  return {
    x: margin + box.x * scale,
    y: margin + headerHeight + (box.y - top) * scale,
    width: box.width * scale * fit,
    height: box.height * scale * fit,
  }
}
