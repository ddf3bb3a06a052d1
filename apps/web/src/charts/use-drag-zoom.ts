import type { PreparedChart } from '@querypost/visualization'
import { type PointerEvent, useRef, useState } from 'react'
import { hasSharedCategories } from './active-point.ts'
import { categoryAt } from './pixel-places.ts'
import type { ECharts } from './use-echarts.ts'

/** Shorter movements are clicks. */
const shortestDrag = 8

/** Zooms into the part of the category axis that is dragged over. Charts with categories down the side, and touch, only scroll. */
export function useDragZoom(chart: ECharts | null, prepared: PreparedChart) {
  const [selection, setSelection] = useState<{ from: number; to: number } | null>(null)
  const [isZoomed, setIsZoomed] = useState(false)
  const start = useRef<number | null>(null)
  const wasDragged = useRef(false)
  const canZoom = hasSharedCategories(prepared) && !prepared.shape.isHorizontal && prepared.category!.count > 2

  function zoomTo(range: { from: number; to: number }) {
    if (!chart) return
    const y = chart.getHeight() / 2
    const [first, last] = [range.from, range.to].map((x) => categoryAt(chart, prepared, { x: within(chart, x), y }))
    if (typeof first !== 'number' || typeof last !== 'number' || first === last) return
    const { positions } = prepared.category!
    const [startValue, endValue] = positions ? [positions[first], positions[last]] : [first, last]
    chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, startValue, endValue })
    setIsZoomed(true)
  }

  return {
    selection,
    isZoomed,
    hasDragged: () => wasDragged.current,
    /** After the chart was drawn again, from its whole range. */
    forget() {
      setIsZoomed(false)
      setSelection(null)
    },
    reset() {
      chart?.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, start: 0, end: 100 })
      setIsZoomed(false)
    },
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        wasDragged.current = false
        if (!canZoom || event.button !== 0 || event.pointerType === 'touch') return
        start.current = placeOf(event)
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start.current === null) return
        const at = placeOf(event)
        if (!wasDragged.current && Math.abs(at - start.current) < shortestDrag) return
        if (!wasDragged.current) event.currentTarget.setPointerCapture(event.pointerId)
        wasDragged.current = true
        setSelection({ from: Math.min(start.current, at), to: Math.max(start.current, at) })
      },
      onPointerUp() {
        start.current = null
        if (selection) zoomTo(selection)
        setSelection(null)
      },
      onPointerCancel() {
        start.current = null
        setSelection(null)
      },
    },
  }
}

const placeOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left

/** The nearest pixel inside the plot. */
function within(chart: ECharts, x: number): number {
  const y = chart.getHeight() / 2
  for (let distance = 0; distance < chart.getWidth(); distance++) {
    for (const each of [x + distance, x - distance]) if (chart.containPixel({ gridIndex: 0 }, [each, y])) return each
  }
  return x
}
