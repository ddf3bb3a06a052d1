import { type RefObject, useEffect, useState } from 'react'

/** Whether the element has been on the screen or close to it. Stays true, so that a tile keeps its chart when it is scrolled away. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setIsNear(true)
    }, { rootMargin: '300px' })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
