import { expect, test } from 'vitest'
import { renderPng } from '../charts/png.ts'
import { drawBoard } from './draw-board.ts'

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

const widthAndHeight = (bytes: Buffer) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

test('draws tiles where they lie on the grid', () => {
  const svg = drawBoard({
    title: 'Revenue & <more>',
    footer: 'Querypost',
    tiles: [
      { x: 0, y: 0, width: 12, height: 1, drawing: { kind: 'heading', text: 'Weekly' } },
      { x: 6, y: 1, width: 6, height: 4, drawing: { kind: 'text', text: '**Bold** words\n\n- one' } },
      { x: 0, y: 1, width: 6, height: 4, drawing: { kind: 'reference', image: { title: 'Orders', visualization: null, result: 'No result yet' } } },
    ],
  })
  expect(svg).toContain('Revenue &amp; &lt;more&gt;')
  expect(svg).toContain('Bold words')
  expect(svg).toContain('No result yet')
  expect([...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx/g)].map((found) => found.slice(1).map(Number))).toEqual([
    [820, 188, 764, 304],
    [40, 188, 764, 304],
  ])
})

test('becomes a PNG with its images, and a long board is scaled down', async () => {
  const image = { x: 0, y: 0, width: 12, height: 1, drawing: { kind: 'image' as const, dataUrl: `data:image/png;base64,${png}` } }
  expect(widthAndHeight(await renderPng(drawBoard({ title: 'x', footer: '', tiles: [image] })))).toEqual([1624, 228])
  const [width, height] = widthAndHeight(await renderPng(drawBoard({ title: 'x', footer: '', tiles: [{ ...image, y: 200 }] })))
  expect(height).toBe(8000)
  expect(width).toBeLessThan(1624)
})
