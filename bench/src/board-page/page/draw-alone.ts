import { type Field, parseJsxConfig, prepareRows } from '@querypost/visualization'
import { compileChart, echarts, lightTheme } from '@querypost/visualization/draw'
import { CanvasRenderer } from 'echarts/renderers'
import { chartJsx, firstMinuteMs, shownTiles, valuesAt } from '../large-board.ts'

/** The charts on the first screen of the board and nothing else: no service, no React, and only the rows that are drawn. */
const fields: Field[] = [{ name: 'minute', type: 'timestamp' }, { name: 'orders', type: 'integer' }, { name: 'revenue', type: 'number' }]
const drawnRows = 800
const everyMinutes = 12

echarts.use([CanvasRenderer])
const element = parseJsxConfig(chartJsx)
for (let tile = 0; tile < shownTiles; tile++) {
  const box = document.createElement('div')
  box.style.cssText = `position: absolute; left: ${(tile % 3) * 390}px; top: ${Math.floor(tile / 3) * 270}px; width: 366px; height: 230px`
  document.body.append(box)
  const rows = Array.from({ length: drawnRows }, (_, at) => {
    const minute = at * everyMinutes
    const { orders, revenue } = valuesAt(tile, minute)
    return [new Date(firstMinuteMs + minute * 60_000).toISOString(), orders, revenue]
  })
  const prepared = prepareRows({ fields, rows, element })
  const { option } = compileChart(prepared, { theme: lightTheme, marginConfig: { top: 8, right: 16, bottom: 8, left: 8 }, hasDrawnLegend: false })
  echarts.init(box, null, { renderer: 'canvas' }).setOption(option)
}
document.body.dataset['drawn'] = 'true'
