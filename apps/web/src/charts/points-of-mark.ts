import type { PreparedChart } from '@querypost/visualization'
import type { PointAsShown } from '../comments/describe-point.ts'
import { type ActivePoint, readPoint } from './active-point.ts'

/** The values at a mark as the chart shows them: one, or one of each series where a whole category is chosen. */
export function pointsOfMark(prepared: PreparedChart, at: ActivePoint): PointAsShown[] {
  if (at.series !== null) return [pointOf(prepared, at.series, at.point)]
  return prepared.series.flatMap(({ values, derivedFrom }, series) =>
    values[at.point] === null || derivedFrom !== null ? [] : [pointOf(prepared, series, at.point)],
  )
}

function pointOf(prepared: PreparedChart, series: number, point: number): PointAsShown {
  const { category, verticalCategory } = prepared
  const drawn = prepared.series[series]!
  const splitBy = drawn.part.props['seriesKey']
  const ofSeries = typeof splitBy === 'string' ? [{ column: splitBy, value: drawn.name }] : []
  const column = ofSeries.length > 0 ? drawn.field.name : drawn.name
  const titleOf = (axis: typeof category) => prepared.shape.categoryTitle ?? axis?.title ?? axis?.field?.name ?? ''
  if (drawn.places) {
    const { lines } = readPoint(prepared, { series, point }, new Set())
    return { keys: [...ofSeries, { column: lines[0]!.name, value: lines[0]!.text }], column: lines[1]!.name, value: lines[1]!.text }
  }
  const cell = drawn.cells?.[point]
  const keys = cell
    ? [
        { column: titleOf(category), value: category!.labelAt(cell.x) },
        { column: verticalCategory!.title ?? verticalCategory!.field?.name ?? '', value: verticalCategory!.labelAt(cell.y) },
      ]
    : [{ column: titleOf(category), value: category!.labelAt(point) }, ...ofSeries]
  return { keys, column: prepared.shape.kind === 'histogram' ? 'Rows' : column, value: drawn.textAt(point) }
}
