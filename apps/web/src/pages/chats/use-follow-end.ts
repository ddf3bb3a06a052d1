import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** How far from the end somebody may be who still reads there. */
const nearPx = 160

/**
 * Keeps the end of a growing page in sight of whoever reads at its end, and leaves everybody else where they are.
 * The element that the reference goes to marks the end.
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
