import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A reader within this distance of the end counts as being there. */
const nearPx = 160

/**
 * Scrolls along with a growing page while the reader is at its end, and leaves the scroll position alone otherwise. Attach the
 * returned ref to an element at the end.
 */
export function useFollowEnd(revision: number): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null)
  const isNearEnd = useRef(false)
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement
      isNearEnd.current = window.scrollY + window.innerHeight > scrollHeight - nearPx
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    if (isNearEnd.current) end.current?.scrollIntoView({ block: 'end' })
  }, [revision])
  return end
}
