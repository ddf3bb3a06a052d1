import { echarts } from '@querypost/visualization/draw'
import { CanvasRenderer } from 'echarts/renderers'
import type { CompiledChart } from '@querypost/visualization/draw'
import { type RefObject, useEffect, useRef, useState } from 'react'

echarts.use([CanvasRenderer])

export type ECharts = ReturnType<typeof echarts.init>

interface Drawing {
  /** Null until the first drawing. */
  chart: ECharts | null
  width: number
  /** How often the chart was drawn with a new option. */
  drawnCount: number
}

const notDrawn: Drawing = { chart: null, width: 0, drawnCount: 0 }

/** Draws an option with an ECharts instance that lives and resizes with its element. The first drawing is made with the instance. */
export function useECharts(box: RefObject<HTMLDivElement | null>, { option }: Pick<CompiledChart, 'option'>): Drawing {
  const latest = useRef<ECharts | null>(null)
  const [drawing, setDrawing] = useState(notDrawn)
  useEffect(() => {
    const element = box.current!
    const made = echarts.init(element, null, { renderer: 'canvas' })
    latest.current = made
    const observer = new ResizeObserver(() => {
      // The observer also reports the first size, and drawing takes long.
      const isSame = element.clientWidth === made.getWidth() && element.clientHeight === made.getHeight()
      if (isSame) return
      made.resize()
      setDrawing((before) => ({ ...before, width: element.clientWidth }))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.dispose()
    }
  }, [box])
  useEffect(() => {
    const chart = latest.current!
    chart.setOption(option, { notMerge: true })
    setDrawing(({ drawnCount }) => ({ chart, width: chart.getWidth(), drawnCount: drawnCount + 1 }))
  }, [box, option])
  return drawing
}
