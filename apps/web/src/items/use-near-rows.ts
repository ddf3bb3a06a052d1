import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** How far from the screen a row is rendered, in pixels: a few screens, so that keys and a quick wheel find it there. */
const margin = 2000
/** Rows come and go together, so that scrolling rarely changes anything. */
const groupSize = 30
const usualHeight = 64

export interface NearRows {
  isNear(index: number): boolean
  /** Of a row that isn't rendered. */
  heightOf(index: number): number
}

/**
 * Which rows of a long list are near the screen. The others keep their place, but not their content: thousands of rows would slow down
 * scrolling. The row with the focus is always near. Rows are the children of the list.
 */
export function useNearRows(list: RefObject<HTMLElement | null>, count: number): NearRows {
  const [near, setNear] = useState({ from: 0, to: 4 * groupSize, focused: -1 })
  const heights = useRef(new Map<number, number>())

  const update = useEffectEvent(() => {
    if (!list.current) return
    const rows = list.current.children
    const first = firstIndex(rows, (row) => row.getBoundingClientRect().bottom >= -margin)
    const last = firstIndex(rows, (row) => row.getBoundingClientRect().top > innerHeight + margin)
    const [from, to] = [Math.floor(first / groupSize) * groupSize, Math.ceil(last / groupSize) * groupSize]
    const focused = [...(list.current.contains(document.activeElement) ? rows : [])].findIndex((row) => row.contains(document.activeElement))
    if (from === near.from && to === near.to && focused === near.focused) return
    for (let index = near.from; index < Math.min(near.to, rows.length); index += 1) {
      if (index < from || index >= to) heights.current.set(index, rows[index]!.getBoundingClientRect().height)
    }
    setNear({ from, to, focused })
  })
  useLayoutEffect(() => update(), [count])
  useEffect(() => {
    const onScroll = () => update()
    addEventListener('scroll', onScroll, { passive: true })
    addEventListener('resize', onScroll, { passive: true })
    return () => {
      removeEventListener('scroll', onScroll)
      removeEventListener('resize', onScroll)
    }
  }, [])

  return {
    isNear: (index) => (index >= near.from && index < near.to) || index === near.focused,
    heightOf: (index) => heights.current.get(index) ?? usualHeight,
  }
}

/** The first row for which it holds, if it holds for all rows after that; else the number of rows. */
export function firstIndex<Row>(rows: ArrayLike<Row>, holds: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(rows[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
