import type { Field, Visualization } from '@querypost/visualization'
import type { PlotArea } from '../../../../packages/visualization/testing/plot-area.ts'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { allowLibraryStyles } from '../../src/ui/csp-nonce.ts'
import { TooltipProvider } from '../../src/ui/tooltip.tsx'
import { ChartBuilder } from '../../src/charts/chart-builder.tsx'
import { ChartView } from '../../src/charts/chart-view.tsx'
import { attack, type AttackOutcome } from './attack.ts'
import { type Color, readPlot, readPlotOf } from './read-plot.ts'
import '../../src/styles/theme.css'

/** A page with only a chart or its builder, controlled by tests. */
export interface Harness {
  /** Returns the number of this rendering, which is in `data-shown`. */
  view(input: Shown): number
  build(input: Omit<Shown, 'visualization'> & { visualization: Visualization | null }): number
  /** Shows each JSX text as the chart of the input. */
  attack(texts: string[], input: Shown): Promise<AttackOutcome>
  /** Shows a chart in a box of this size. */
  viewIn(size: { width: number; height: number }, input: Shown): number
  /** The drawn chart, reduced to its plot. */
  readPlot(): Color[]
  /** The same of a picture that was drawn elsewhere. */
  readPlotOf(picture: { pngBase64: string; plot: PlotArea }): Promise<Color[]>
  /** The current result of the builder. */
  built: Visualization | null
}

interface Shown {
  visualization: Visualization
  fields: Field[]
  rows: unknown[][]
}

allowLibraryStyles()
const root = createRoot(document.getElementById('root')!)
let count = 0
function show(content: ReactNode): number {
  count++
  root.render(<TooltipProvider key={count}><div data-shown={count}>{content}</div></TooltipProvider>)
  return count
}

const harness: Harness = {
  built: null,
  view: (input) => show(<ChartView {...input} />),
  viewIn: (size, input) => show(<div style={size}><ChartView {...input} hasTable isFilling /></div>),
  readPlot,
  readPlotOf,
  attack: (texts, input) =>
    attack(texts, (jsxConfig) => harness.view({ ...input, visualization: { ...input.visualization, jsxConfig } })),
  build(input) {
    harness.built = input.visualization
    return show(<Building {...input} />)
  },
}

function Building({ visualization, fields, rows }: Parameters<Harness['build']>[0]) {
  const [value, setValue] = useState(visualization)
  const change = (next: Visualization) => {
    harness.built = next
    setValue(next)
  }
  return <ChartBuilder value={value} fields={fields} rows={rows} onChange={change} />
}

Object.assign(window, { harness })
