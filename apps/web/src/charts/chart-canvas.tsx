import type { PreparedChart } from '@querypost/visualization'
import type { CompiledChart } from '@querypost/visualization/draw'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { type ActivePoint, hasSharedCategories, pointsOf, readPoint, titleOf } from './active-point.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTooltip } from './chart-tooltip.tsx'
import type { ChartMark } from './chart-view-props.ts'
import { categoryAt, closestSeries, pixelOf } from './pixel-places.ts'
import { pointsOfMark } from './points-of-mark.ts'
import { useDragZoom } from './use-drag-zoom.ts'
import { useECharts } from './use-echarts.ts'

interface ChartCanvasProps {
  prepared: PreparedChart
  compiled: CompiledChart
  /** The color of each series. */
  colorOf(series: number, point: number): string
  height: number | '100%'
  label: string
  onMark(mark: ChartMark): void
}

const noneHidden: ReadonlySet<string> = new Set()

/**
 * The drawing with everything that can be done in it. Pointing at a place or moving there with the arrow keys reads its values,
 * choosing it calls `onMark`, dragging zooms in, and the legend hides series.
 */
export function ChartCanvas({ prepared, compiled, colorOf, height, label, onMark }: ChartCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const { chart, width, drawnCount } = useECharts(box, compiled)
  const [active, setActive] = useState<ActivePoint | null>(null)
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null)
  const [hidden, setHidden] = useState(noneHidden)
  const isShared = hasSharedCategories(prepared)
  const points = useMemo(() => pointsOf(prepared), [prepared])
  const zoom = useDragZoom(chart, prepared)

  useEffect(() => {
    setActive(null)
    setHidden(noneHidden)
    zoom.forget()
  }, [compiled])

  useEffect(() => {
    if (!chart) return
    const zr = chart.getZr()
    const show = (event: { offsetX: number; offsetY: number }) => {
      const at = { x: event.offsetX, y: event.offsetY }
      const point = categoryAt(chart, prepared, at)
      setPointer(point === null ? null : at)
      setActive(point === null ? null : { series: null, point })
    }
    const showItem = (event: { seriesIndex?: number; dataIndex?: number; event?: { offsetX: number; offsetY: number } }) => {
      const { seriesIndex, dataIndex } = event
      if (seriesIndex === undefined || dataIndex === undefined || !hasPoint(prepared, seriesIndex, dataIndex)) return
      setPointer(event.event ? { x: event.event.offsetX, y: event.event.offsetY } : null)
      setActive({ series: seriesIndex, point: dataIndex })
    }
    const leave = () => setActive(null)
    const choose = (event: { seriesIndex?: number; dataIndex?: number }) => {
      const { seriesIndex, dataIndex } = event
      if (seriesIndex === undefined || dataIndex === undefined || !hasPoint(prepared, seriesIndex, dataIndex)) return
      onMark(markAt(prepared, { series: seriesIndex, point: dataIndex }))
    }
    const chooseLine = (event: { offsetX: number; offsetY: number; target?: unknown }) => {
      if (event.target || zoom.hasDragged()) return
      const point = categoryAt(chart, prepared, { x: event.offsetX, y: event.offsetY })
      const series = point === null ? null : closestSeries(chart, prepared, { point, y: event.offsetY, hidden })
      if (point !== null && series !== null) onMark(markAt(prepared, { series, point }))
    }
    chart.on('click', choose as never)
    zr.on('globalout', leave)
    if (isShared) {
      zr.on('mousemove', show)
      zr.on('click', chooseLine)
    } else {
      chart.on('mouseover', showItem as never)
      chart.on('mouseout', leave)
    }
    return () => {
      if (chart.isDisposed()) return
      chart.off('click', choose)
      chart.off('mouseover', showItem)
      chart.off('mouseout', leave)
      zr.off('globalout', leave)
      zr.off('mousemove', show)
      zr.off('click', chooseLine)
    }
  }, [chart, prepared, isShared, hidden, onMark])

  const read = active && isPointOf(prepared, active) ? readPoint(prepared, active, hidden) : null
  const colors = active && read ? shownSeries(prepared, active, hidden).map((series) => colorOf(series, active.point)) : []

  function move(to: ActivePoint | undefined) {
    if (!chart || !to) return
    setPointer(null)
    setActive(to)
    const pixel = pixelOf(chart, prepared, to)
    if (isShared) chart.dispatchAction({ type: 'updateAxisPointer', currTrigger: 'mousemove', ...pixel, y: chart.getHeight() / 2 })
    else chart.dispatchAction({ type: 'highlight', seriesIndex: to.series, dataIndex: to.point })
    if (active && active.series !== null) chart.dispatchAction({ type: 'downplay', seriesIndex: active.series, dataIndex: active.point })
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = active ? points.findIndex(({ series, point }) => series === active.series && point === active.point) : -1
    const step = keySteps[event.key]
    if (step !== undefined) move(points[Math.min(points.length - 1, Math.max(0, at + step))])
    else if (event.key === 'Home') move(points[0])
    else if (event.key === 'End') move(points.at(-1))
    else if (event.key === 'Enter' && active) onMark(markAt(prepared, active))
    else if (event.key === 'Escape' && (active || zoom.isZoomed)) {
      setActive(null)
      zoom.reset()
    } else return
    event.preventDefault()
  }

  function toggle(name: string) {
    chart?.dispatchAction({ type: 'legendToggleSelect', name })
    setHidden((before) => (before.has(name) ? new Set([...before].filter((each) => each !== name)) : new Set([...before, name])))
  }

  const reading = read && [read.title, ...read.lines.map(({ name, text }) => `${name} ${text}`)].filter((text) => text !== '').join(', ')
  return (
    <div className={height === '100%' ? 'flex h-full min-h-0 min-w-0 flex-col gap-1' : 'grid min-w-0 gap-1'}>
      {compiled.legend.length > 0 && <ChartLegend entries={compiled.legend} hidden={hidden} onToggle={toggle} />}
      <div className={height === '100%' ? 'relative min-h-0 min-w-0 flex-1' : 'relative min-w-0'} style={height === '100%' ? {} : { height }}>
        <div
          ref={box}
          role="application"
          aria-roledescription="chart"
          aria-label={`${label} Use the arrow keys to read its values.`}
          tabIndex={0}
          className="absolute inset-0 overflow-hidden rounded-md focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus"
          data-chart={prepared.shape.kind}
          data-drawn={drawnCount}
          data-series={prepared.series.length}
          data-points={prepared.series.reduce((sum, { values }) => sum + values.filter((value) => value !== null).length, 0)}
          onKeyDown={onKeyDown}
          onFocus={(event) => event.target.matches(':focus-visible') && active === null && move(points[0])}
          onBlur={() => setActive(null)}
          {...zoom.handlers}
        />
        {zoom.selection && (
          <div
            className="pointer-events-none absolute inset-y-0 bg-accent opacity-15"
            style={{ left: zoom.selection.from, width: zoom.selection.to - zoom.selection.from }}
          />
        )}
        {active && read && chart && !zoom.selection && (
          <ChartTooltip read={{ ...read, colors }} at={pointer ?? pixelOf(chart, prepared, active)} width={width} />
        )}
        {zoom.isZoomed && (
          <div className="absolute top-1 right-1">
            <Button size="small" onClick={zoom.reset}>Reset zoom</Button>
          </div>
        )}
      </div>
      <p className="sr-only" aria-live="polite">{pointer === null ? reading : ''}</p>
    </div>
  )
}

const keySteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

const hasPoint = ({ series }: PreparedChart, at: number, point: number) => series[at] !== undefined && point < series[at].values.length

const isPointOf = (prepared: PreparedChart, { series, point }: ActivePoint) =>
  series === null ? point < (prepared.category?.count ?? 0) : hasPoint(prepared, series, point)

/** The series that the lines of a tooltip belong to. */
function shownSeries(prepared: PreparedChart, { series, point }: ActivePoint, hidden: ReadonlySet<string>): number[] {
  if (series !== null) return [series, series, series]
  return prepared.series.flatMap(({ name, derivedFrom, values }, at) =>
    hidden.has(name) || (derivedFrom !== null && values[point] === null) ? [] : [at],
  )
}

function markAt(prepared: PreparedChart, { series, point }: ActivePoint): ChartMark {
  const category = titleOf(prepared, { series, point })
  const points = pointsOfMark(prepared, { series, point })
  if (series === null) {
    const rows = [...new Set(prepared.series.flatMap((each) => each.rowsAt(point)))].toSorted((a, b) => a - b)
    return { rows, category, series: '', points }
  }
  const drawn = prepared.series[series]!
  const isShared = hasSharedCategories(prepared)
  return {
    rows: drawn.rowsAt(point),
    category: isShared ? prepared.category!.labelAt(point) : category,
    series: isShared ? drawn.name : '',
    points,
  }
}
