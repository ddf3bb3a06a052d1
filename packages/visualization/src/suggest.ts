import { type Field, isNumeric, isTime, textOf } from './fields.ts'
import { type ChartChoice, makeChart } from './make-chart.ts'
import { makeNumber } from './one-number.ts'
import { defaultMargin, type Visualization } from './visualization.ts'
import { writeJsxConfig } from './write.ts'

const maxSeries = 4
const maxVerticalBars = 12
const longLabel = 14

/** A chart to start with, based on the columns; null if a table shows more. */
export function suggestChart(fields: readonly Field[], rows: readonly (readonly unknown[])[]): Visualization | null {
  const measures = fields.filter((field) => isNumeric(field) && !isKey(field) && !isCalendar(field))
  const [measure] = measures
  if (rows.length === 0 || !measure) return null
  if (rows.length === 1) {
    const chart = makeNumber({ key: measure === fields[0] ? null : measure.name, caption: null, unit: null })
    return { type: 'number', jsxConfig: chart ? writeJsxConfig(chart) : '', marginConfig: defaultMargin }
  }
  const time = fields.find((field) => isTime(field) || isCalendar(field))
  const category = fields.find((field) => field.type === 'string' || field.type === 'boolean')
  const series = measures.slice(0, maxSeries).map(({ name }) => ({ key: name }))
  // Several categories at one moment would be joined into a zigzag line.
  if (time && isDistinct(rows, fields.indexOf(time))) return drawn({ kind: 'line', categoryKey: time.name, series })
  if (time && category) return null
  if (category) {
    const labels = rows.map((row) => textOf(category, row[fields.indexOf(category)]) ?? '')
    const isHorizontal = rows.length > maxVerticalBars || labels.some((label) => label.length > longLabel)
    return drawn({ kind: 'bar', categoryKey: category.name, series: comparableSeries(measures, series), isHorizontal })
  }
  if (measures.length < 2) return null
  return drawn({ kind: 'scatter', categoryKey: measure.name, series: series.slice(1, 2) })
}

function drawn(choice: ChartChoice): Visualization {
  return { type: choice.kind, jsxConfig: writeJsxConfig(makeChart(choice)), marginConfig: defaultMargin }
}

/** Next to money, counts are too low to be visible as bars: the first measure alone says more. */
const comparableSeries = (measures: Field[], series: { key: string }[]) =>
  measures.every(({ type }) => type === measures[0]!.type) ? series : series.slice(0, 1)

const isKey = ({ name }: Field) => /(^|_)(id|key|code|zip|uuid)$/i.test(name)
const isCalendar = ({ name, type }: Field) => type === 'integer' && /^(year|quarter|month|week|day|hour)$/i.test(name)

function isDistinct(rows: readonly (readonly unknown[])[], at: number): boolean {
  return new Set(rows.map((row) => row[at])).size === rows.length
}
