import type { VisualizationType } from '@querypost/visualization'
import type { ComponentType } from 'react'
import type { ChartViewProps } from './chart-view-props.ts'

const typesWithoutDrawing: ReadonlySet<VisualizationType> = new Set(['table', 'number', 'pivot'])

/** Whether a result is shown as a drawing, which needs this code. */
export const isDrawn = (visualization: { type: VisualizationType } | undefined) =>
  visualization !== undefined && !typesWithoutDrawing.has(visualization.type)

let loaded: ComponentType<ChartViewProps> | undefined

/** ECharts and the JSX parser are loaded with the first chart, or as soon as a page knows that it will have one. */
export async function loadDrawnChart() {
  const module = await import('./drawn-chart.tsx')
  loaded = module.default
  return module
}

/** Undefined until it is loaded. */
export const loadedDrawnChart = () => loaded
