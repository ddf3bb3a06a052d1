import { echarts } from '@querypost/visualization/draw'
import { CanvasRenderer } from 'echarts/renderers'
import { type RefObject, useEffect, useState } from 'react'

echarts.use([CanvasRenderer])

export type ECharts = ReturnType<typeof echarts.init>

/** An ECharts instance that lives and resizes with its element. */
export function useECharts(box: RefObject<HTMLDivElement | null>): { chart: ECharts | null; width: number } {
  const [chart, setChart] = useState<ECharts | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current!
    const made = echarts.init(element, null, { renderer: 'canvas' })
    setChart(made)
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => {
      // The observer also reports the first size, and drawing takes long.
      const isSame = element.clientWidth === made.getWidth() && element.clientHeight === made.getHeight()
      if (!isSame) made.resize()
      setWidth(element.clientWidth)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.dispose()
    }
  }, [box])
  return { chart, width }
}
