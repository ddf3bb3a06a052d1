import type { echarts } from '../src/draw/index.ts'

/** Where a chart has its marks, in pixels: inside its axes or around its shapes. */
export interface PlotArea {
  x: number
  y: number
  width: number
  height: number
}

/** ECharts publishes neither its model nor the elements that it draws. */
interface ChartInternals {
  getModel(): { getSeriesByIndex(at: number): SeriesModel }
}
interface SeriesModel {
  subType: string
  coordinateSystem: { master?: { getRect(): PlotArea }; getRect?(): PlotArea; getViewRect?(): PlotArea } | null
  getData(): { count(): number; getItemGraphicEl(at: number): { getBoundingRect(): Rectangle; getComputedTransform(): number[] | null } | undefined }
}
interface Rectangle extends PlotArea {
  clone(): Rectangle
  union(other: Rectangle): void
  applyTransform(matrix: number[]): void
}

export function plotAreaOf(chart: ReturnType<typeof echarts.init>): PlotArea {
  const series = (chart as unknown as ChartInternals).getModel().getSeriesByIndex(0)
  const area = series.coordinateSystem?.master?.getRect() ?? series.coordinateSystem?.getViewRect?.() ?? aroundShapes(series)
  const { x, y, width, height } = area
  return { x, y, width, height }
}

/** Slices of a pie and steps of a funnel. */
function aroundShapes(series: SeriesModel): PlotArea {
  const data = series.getData()
  let around: Rectangle | undefined
  for (let at = 0; at < data.count(); at++) {
    const element = data.getItemGraphicEl(at)
    if (!element) continue
    const rectangle = element.getBoundingRect().clone()
    const transform = element.getComputedTransform()
    if (transform) rectangle.applyTransform(transform)
    if (around) around.union(rectangle)
    else around = rectangle
  }
  if (!around) throw new Error(`A ${series.subType} chart has no shapes.`)
  return around
}
