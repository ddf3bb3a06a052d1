import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type GridBody, makeGridBody } from './grid-body.ts'
import type { GridContent } from './grid-content.ts'
import { rowsNear } from './rows-near.ts'

/** After so long without scrolling, somebody may read. */
const restMs = 150

/** Shows the rows that are near the screen in `host`, which scrolls in `box`. React neither renders nor knows them. */
export function useGridBody(options: {
  box: RefObject<HTMLElement | null>
  host: RefObject<HTMLElement | null>
  content: GridContent
  columns: number[]
  rowCount: number
}): void {
  const { box, host, content, columns, rowCount } = options
  const body = useRef<GridBody>(null)
  // Reading them from the element would make the browser lay out the page.
  const view = useRef({ top: 0, height: 0 })
  const resting = useRef<number>(undefined)

  const draw = useEffectEvent(() => {
    body.current?.draw(content, rowsNear(view.current, rowCount), columns)
    clearTimeout(resting.current)
    resting.current = window.setTimeout(() => body.current?.restoreOrder(), restMs)
  })
  useLayoutEffect(() => {
    const made = makeGridBody(host.current!)
    body.current = made
    return () => {
      clearTimeout(resting.current)
      made.clear()
    }
  }, [])
  useLayoutEffect(() => draw(), [content, columns, rowCount])
  useEffect(() => {
    const element = box.current!
    const onScroll = () => {
      view.current.top = element.scrollTop
      draw()
    }
    const observer = new ResizeObserver(([entry]) => {
      view.current = { top: element.scrollTop, height: entry!.contentRect.height }
      draw()
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [])
}
