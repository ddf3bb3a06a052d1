import type { Field, Visualization } from '@querypost/visualization'
import { createRoot } from 'react-dom/client'
import { ChartView } from '../../../../apps/web/src/charts/chart-view.tsx'
import { TooltipProvider } from '../../../../apps/web/src/ui/tooltip.tsx'
import '../../../../apps/web/src/styles/theme.css'

const fields: Field[] = [{ name: 'at', type: 'timestamp' }, { name: 'value', type: 'number' }]
const visualization: Visualization = {
  type: 'line',
  jsxConfig: '<LineChart><CartesianGrid /><XAxis dataKey="at" scale="time" /><YAxis /><Tooltip /><Line dataKey="value" /></LineChart>',
  marginConfig: { top: 8, right: 16, bottom: 8, left: 8 },
}

/** One measurement a minute, with a daily course. */
function makeRows(count: number): unknown[][] {
  const start = Date.UTC(2025, 0, 1)
  return Array.from({ length: count }, (_, at) => [new Date(start + at * 60_000).toISOString(), Math.sin(at / 229) * 100 + ((at * 7919) % 31)])
}

const root = createRoot(document.getElementById('root')!)
let shown = 0

Object.assign(window, {
  /** Draws a line and returns how long it took until the next frame after it. */
  async draw(count: number): Promise<number> {
    const rows = makeRows(count)
    const startedMs = performance.now()
    shown++
    root.render(
      <TooltipProvider key={shown}>
        <div data-shown={shown}><ChartView visualization={visualization} fields={fields} rows={rows} hasTable /></div>
      </TooltipProvider>,
    )
    while (!document.querySelector(`[data-shown="${shown}"] [data-drawn="1"]`)) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - startedMs
  },
})
