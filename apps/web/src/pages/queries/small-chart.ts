import { type Field, formatter, formatters, isNumeric, isTime, numberOf } from '@querypost/visualization'

/** A result at a glance: a number, the course of a measure, or the first rows. Small enough for a card, and without ECharts. */
export type SmallChart =
  | { kind: 'number'; text: string; label: string }
  | { kind: 'line' | 'bar'; values: number[]; label: string; latest: string }
  | { kind: 'table'; rows: string[][] }

const maxPoints = 60
const maxBars = 12
const tableRows = 3
const tableColumns = 2

const isMeasure = (field: Field) => isNumeric(field) && !/(^|_)(id|key|code|zip|uuid|year|month|week|day|hour)$/i.test(field.name)

export function smallChartOf({ fields, rows }: { fields: Field[]; rows: unknown[][] }): SmallChart | null {
  if (fields.length === 0 || rows.length === 0) return null
  const measureAt = fields.findIndex(isMeasure)
  if (measureAt === -1) return tableOf(fields, rows)
  const measure = fields[measureAt]!
  const format = formatter(measure)
  if (rows.length === 1) return { kind: 'number', text: format(rows[0]![measureAt]) ?? '–', label: measure.name }
  const numbers = rows.map((row) => numberOf(row[measureAt]))
  const values = numbers.filter((value) => value !== null)
  if (values.length < 2) return tableOf(fields, rows)
  const timeAt = fields.findIndex(isTime)
  const isSeries = timeAt !== -1 && new Set(rows.map((row) => row[timeAt])).size === rows.length
  if (isSeries) {
    const inOrder = rows.toSorted((a, b) => String(a[timeAt]).localeCompare(String(b[timeAt])))
    const course = inOrder.map((row) => numberOf(row[measureAt])).filter((value) => value !== null)
    const latest = format(inOrder.at(-1)![measureAt]) ?? '–'
    return { kind: 'line', values: thinned(course), label: measure.name, latest }
  }
  const hasCategory = fields.some(({ type }) => type === 'string' || type === 'boolean')
  if (timeAt !== -1 || !hasCategory || values.length > maxPoints) return tableOf(fields, rows)
  return { kind: 'bar', values: values.slice(0, maxBars), label: measure.name, latest: format(Math.max(...values)) ?? '–' }
}

function tableOf(fields: Field[], rows: unknown[][]): SmallChart {
  const formats = formatters(fields, rows)
  const cells = rows.slice(0, tableRows).map((row) => fields.slice(0, tableColumns).map((_, at) => formats[at]!(row[at]) ?? 'null'))
  return { kind: 'table', rows: cells }
}

/** Every n-th value, and always the last. */
function thinned(values: number[]): number[] {
  const step = Math.ceil(values.length / maxPoints)
  return values.filter((_, at) => (values.length - 1 - at) % step === 0)
}
