import type { ChartPoint, PreparedChart } from './prepared-chart.ts'

export const maxSlices = 12
const other = 'Other'

/** Keeps the largest slices of a ring and combines the rest into one, so that slices stay distinguishable. Their sum is unchanged. */
export function combineSlices(prepared: PreparedChart, count: Intl.NumberFormat): PreparedChart {
  const key = prepared.element.children.find(({ name }) => name === 'Pie')?.props['dataKey']
  if (typeof key !== 'string') return prepared
  const valueOf = (point: ChartPoint) => point[key] as number | null
  const notes = [...prepared.notes]
  const negative = prepared.points.filter((point) => (valueOf(point) ?? 0) < 0).length
  if (negative > 0) notes.push(`Skipped, because slices cannot be negative: ${rowsText(negative, count)}.`)
  const slices = prepared.points.filter((point) => (valueOf(point) ?? 0) > 0)
  if (slices.length === 0) {
    const problems = ['There are no values above zero to draw as slices.']
    return { ...prepared, points: [], notes, problems }
  }
  if (slices.length <= maxSlices) return { ...prepared, points: slices, notes }
  const large = new Set(slices.toSorted((a, b) => valueOf(b)! - valueOf(a)!).slice(0, maxSlices - 1))
  const small = slices.filter((point) => !large.has(point))
  notes.push(`The ${count.format(small.length)} smallest slices are combined as “${other}”.`)
  const combined: ChartPoint = { row: -1 }
  for (const [name, { use }] of prepared.keys) {
    combined[name] = use === 'number' ? sumOf(small, name) : other
  }
  return { ...prepared, points: [...slices.filter((point) => large.has(point)), combined], notes }
}

const sumOf = (points: ChartPoint[], name: string) =>
  points.reduce((sum, point) => sum + ((point[name] as number | null) ?? 0), 0)

const rowsText = (rowCount: number, count: Intl.NumberFormat) => `${count.format(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`
