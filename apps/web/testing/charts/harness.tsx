import type { Field, Visualization } from '@querypost/visualization'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { allowLibraryStyles } from '../../src/ui/csp-nonce.ts'
import { TooltipProvider } from '../../src/ui/tooltip.tsx'
import { ChartBuilder } from '../../src/charts/chart-builder.tsx'
import { ChartView } from '../../src/charts/chart-view.tsx'
import { attack, type AttackOutcome } from './attack.ts'
import '../../src/styles/theme.css'

/** A page with only a chart or its builder, controlled by tests. */
export interface Harness {
  /** Returns the number of this rendering, which is in `data-shown`. */
  view(input: Shown): number
  build(input: Omit<Shown, 'visualization'> & { visualization: Visualization | null }): number
  /** Shows each JSX text as the chart of the input. */
  attack(texts: string[], input: Shown): Promise<AttackOutcome>
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
