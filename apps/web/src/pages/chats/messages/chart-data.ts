import type { FirstRows } from '../../../api/first-rows.ts'
import type { Visualization } from '../../../api/references.ts'
import { cellText } from '../../../ui/cell.ts'

/** What a simple chart draws: a label for each row, and for each series a number, or none, for each row. */
export interface ChartData {
  labels: string[]
  series: { name: string; values: (number | null)[] }[]
  /** Of all values; zero lies in between. */
  least: number
  most: number
}

const dataKey = String.raw`\bdataKey=(?:"([^"]*)"|\{\s*["']([^"']*)["']\s*\})`
const xAxis = new RegExp(String.raw`<XAxis\b[^>]*?${dataKey}`)
const drawn = new RegExp(String.raw`<(?:Bar|Line|Area)\b[^>]*?${dataKey}`, 'g')

/** Undefined where this cannot be drawn so: other kinds of charts, columns that are not there, no numbers. */
export function readChart({ type, jsxConfig }: Visualization, { fields, rows }: FirstRows): ChartData | undefined {
  if (!['bar', 'line', 'area'].includes(type) || rows.length === 0) return undefined
  const columnOf = (match: RegExpMatchArray | null) => fields.findIndex(({ name }) => name === (match?.[1] ?? match?.[2]))
  const labelColumn = columnOf(xAxis.exec(jsxConfig))
  const columns = [...jsxConfig.matchAll(drawn)].map(columnOf)
  if (labelColumn === -1 || columns.length === 0 || columns.includes(-1)) return undefined
  const series = columns.map((column) => ({ name: fields[column]!.name, values: rows.map((row) => numberOf(row[column])) }))
  const values = series.flatMap((one) => one.values).filter((value) => value !== null)
  if (values.length === 0) return undefined
  const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0])
  return { labels: rows.map((row) => cellText(fields[labelColumn]!.type, row[labelColumn]) ?? ''), series, least, most }
}

/** Decimals and long integers come as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
