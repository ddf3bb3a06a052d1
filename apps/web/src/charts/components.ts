import type { ComponentType } from 'react'
import {
  Area, AreaChart, Bar, BarChart, Brush, CartesianGrid, Cell, ComposedChart, ErrorBar, Label, LabelList, Legend, Line,
  LineChart, Pie, PieChart, ReferenceArea, ReferenceDot, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis, ZAxis,
} from 'recharts'

/** What an element is drawn by. A chart can name these and nothing else: a Map knows no inherited names. */
const components: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
    Area, AreaChart, Bar, BarChart, Brush, CartesianGrid, Cell, ComposedChart, ErrorBar, Label, LabelList, Legend, Line,
    LineChart, Pie, PieChart, ReferenceArea, ReferenceDot, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis, ZAxis,
  }),
)

/** The props were checked against the vocabulary, which is wider than what any one component knows. */
export function componentOf(name: string): ComponentType<Record<string, unknown>> {
  const component = components.get(name)
  if (component === undefined) throw new Error(`There is no element ${JSON.stringify(name)} to draw.`)
  return component as ComponentType<Record<string, unknown>>
}
