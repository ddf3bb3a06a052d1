import type { PreparedChart } from '@querypost/visualization'
import type { ActivePoint } from './active-point.ts'
import type { ECharts } from './use-echarts.ts'

/** Places of points in pixels of the chart, and back. */

/** The category under a pixel; null outside the plot. */
export function categoryAt(chart: ECharts, prepared: PreparedChart, pixel: { x: number; y: number }): number | null {
  if (!chart.containPixel({ gridIndex: 0 }, [pixel.x, pixel.y])) return null
  const { isHorizontal } = prepared.shape
  const found = isHorizontal
    ? chart.convertFromPixel({ yAxisIndex: 0 }, pixel.y)
    : chart.convertFromPixel({ xAxisIndex: 0 }, pixel.x)
  const place = Array.isArray(found) ? found[isHorizontal ? 1 : 0]! : found
  const { positions, count } = prepared.category!
  if (!positions) return Math.min(count - 1, Math.max(0, Math.round(place)))
  return nearest(positions, place)
}

function nearest(positions: readonly number[], place: number): number | null {
  let best: number | null = null
  for (const [at, position] of positions.entries()) {
    if (!Number.isFinite(position)) continue
    if (best === null || Math.abs(position - place) < Math.abs(positions[best]! - place)) best = at
  }
  return best
}

/** The pixel of a point. Slices, steps and countries have no place on an axis, and are shown at the top. */
export function pixelOf(chart: ECharts, prepared: PreparedChart, { series, point }: ActivePoint): { x: number; y: number } {
  const { category, shape } = prepared
  const middle = { x: chart.getWidth() / 2, y: 8 }
  if (series === null) {
    const place = category!.positions ? category!.positions[point]! : point
    const found = chart.convertToPixel(shape.isHorizontal ? { yAxisIndex: 0 } : { xAxisIndex: 0 }, place)
    const pixel = Array.isArray(found) ? found[shape.isHorizontal ? 1 : 0]! : found
    if (!Number.isFinite(pixel)) return middle
    return shape.isHorizontal ? { x: chart.getWidth() / 2, y: pixel } : { x: pixel, y: 8 }
  }
  const drawn = prepared.series[series]!
  const cell = drawn.cells?.[point]
  const place = cell ? [cell.x, cell.y] : drawn.places ? [drawn.places.x[point]!, drawn.values[point]!] : null
  if (!place) return middle
  const pixel = chart.convertToPixel({ gridIndex: 0 }, place) as unknown as number[] | undefined
  return pixel && pixel.every(Number.isFinite) ? { x: pixel[0]!, y: pixel[1]! } : middle
}

/** The line or area closest to a pixel at a category. */
export function closestSeries(chart: ECharts, prepared: PreparedChart, at: { point: number; y: number; hidden: ReadonlySet<string> }): number | null {
  const { positions } = prepared.category!
  let best: { series: number; distance: number } | null = null
  for (const [series, { kind, values, name, derivedFrom }] of prepared.series.entries()) {
    const value = values[at.point] ?? null
    if ((kind !== 'line' && kind !== 'area') || derivedFrom !== null || value === null || at.hidden.has(name)) continue
    const pixel = chart.convertToPixel({ seriesIndex: series }, [positions ? positions[at.point]! : at.point, value])
    const distance = Math.abs(pixel[1]! - at.y)
    if (!best || distance < best.distance) best = { series, distance }
  }
  return best?.series ?? null
}
