import type { ComponentType } from 'react'
import {
  Area, AreaChart, Bar, BarChart, Brush, CartesianGrid, Cell, ComposedChart, ErrorBar, Label, LabelList, Legend, Line,
  LineChart, Pie, PieChart, ReferenceArea, ReferenceDot, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis, ZAxis,
} from 'recharts'

/** The Recharts components a chart may use. A Map, so that inherited names such as `constructor` are not found. */
const components: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
    Area, AreaChart, Bar, BarChart, Brush, CartesianGrid, Cell, ComposedChart, ErrorBar, Label, LabelList, Legend, Line,
    LineChart, Pie, PieChart, ReferenceArea, ReferenceDot, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis, ZAxis,
  }),
)

/** Props were validated against the shared vocabulary, so the component accepts any record. */
export function componentOf(name: string): ComponentType<Record<string, unknown>> {
  const component = components.get(name)
  if (component === undefined) throw new Error(`There is no element ${JSON.stringify(name)} to draw.`)
  return component as ComponentType<Record<string, unknown>>
}
