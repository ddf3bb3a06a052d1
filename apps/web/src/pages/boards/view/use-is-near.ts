import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** How far from the screen an element is near. */
const marginPx = 300

/** Whether the element has been on the screen or close to it. Stays true, so that a tile keeps its chart when it is scrolled away. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  // What is near from the start is known before the first frame.
  useLayoutEffect(() => {
    if (!element.current) return
    const { top, bottom } = element.current.getBoundingClientRect()
    if (bottom > -marginPx && top < window.innerHeight + marginPx) setIsNear(true)
  }, [element])
  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setIsNear(true)
    }, { rootMargin: `${marginPx}px` })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
