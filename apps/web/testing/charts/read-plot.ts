import { echarts } from '@querypost/visualization/draw'
import { type PlotArea, plotAreaOf } from '../../../../packages/visualization/testing/plot-area.ts'

/** Pictures are compared by the average colors of this many fields, which hides how two programs smooth edges. */
const columns = 60
const rows = 30

export type Color = [red: number, green: number, blue: number]

export function readPlot(): Color[] {
  const element = document.querySelector<HTMLDivElement>('[data-chart]')!
  const area = plotAreaOf(echarts.getInstanceByDom(element)!)
  // Charts with many marks have several layers.
  const layers = [...element.querySelectorAll('canvas')]
  const scale = layers[0]!.width / element.clientWidth
  return averageColors(layers, { x: area.x * scale, y: area.y * scale, width: area.width * scale, height: area.height * scale })
}

export async function readPlotOf({ pngBase64, plot }: { pngBase64: string; plot: PlotArea }): Promise<Color[]> {
  const bytes = Uint8Array.from(atob(pngBase64), (character) => character.codePointAt(0)!)
  return averageColors([await createImageBitmap(new Blob([bytes], { type: 'image/png' }))], plot)
}

function averageColors(layers: CanvasImageSource[], { x, y, width, height }: PlotArea): Color[] {
  const canvas = new OffscreenCanvas(columns * 8, rows * 8)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const layer of layers) context.drawImage(layer, x, y, width, height, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  return Array.from({ length: columns * rows }, (_, field) => {
    const sums: Color = [0, 0, 0]
    const [left, top] = [(field % columns) * 8, Math.floor(field / columns) * 8]
    for (let at = 0; at < 64; at++) {
      const from = ((top + Math.floor(at / 8)) * canvas.width + left + (at % 8)) * 4
      for (const channel of [0, 1, 2] as const) sums[channel] += data[from + channel]!
    }
    return sums.map((sum) => Math.round(sum / 64)) as Color
  })
}
