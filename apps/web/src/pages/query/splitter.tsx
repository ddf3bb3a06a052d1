import { type PointerEvent, useRef, useState } from 'react'

const stepPx = 24
const storeKey = 'querypost.editor-height'

/** The height of the area above the splitter, kept in the browser. */
export function useHeight({ initial, min, max }: { initial: number; min: number; max: number }) {
  const [height, setHeight] = useState(() => {
    const stored = Number(window.localStorage.getItem(storeKey))
    return stored >= min && stored <= max ? stored : initial
  })
  const change = (wanted: number) => {
    const next = Math.round(Math.min(max, Math.max(min, wanted)))
    setHeight(next)
    window.localStorage.setItem(storeKey, String(next))
  }
  return { height, min, max, change }
}

/** A bar to drag, or to move with the arrow keys. */
export function Splitter({ label, size }: { label: string; size: ReturnType<typeof useHeight> }) {
  const dragStart = useRef<{ y: number; height: number }>(undefined)
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={size.height}
      aria-valuemin={size.min}
      aria-valuemax={size.max}
      className="group flex h-3 cursor-row-resize touch-none items-center justify-center border-t border-line bg-surface"
      onKeyDown={(event) => {
        const by = { ArrowUp: -stepPx, ArrowDown: stepPx }[event.key]
        if (by === undefined) return
        event.preventDefault()
        size.change(size.height + by)
      }}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragStart.current = { y: event.clientY, height: size.height }
      }}
      onPointerMove={(event) => {
        if (dragStart.current) size.change(dragStart.current.height + event.clientY - dragStart.current.y)
      }}
      onPointerUp={() => {
        dragStart.current = undefined
      }}
    >
      <span className="h-1 w-10 rounded-full bg-line-strong group-hover:bg-accent" aria-hidden="true" />
    </div>
  )
}
