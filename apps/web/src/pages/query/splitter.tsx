import { type PointerEvent, useRef, useState } from 'react'

const step = 24
const storeKey = 'querypost.editor-height'

/** The height of what stands above a bar that can be dragged, or moved with the arrow keys; the browser remembers it. */
export function useHeight({ usual, least, most }: { usual: number; least: number; most: number }) {
  const [height, setHeight] = useState(() => {
    const kept = Number(window.localStorage.getItem(storeKey))
    return kept >= least && kept <= most ? kept : usual
  })
  const change = (wanted: number) => {
    const next = Math.round(Math.min(most, Math.max(least, wanted)))
    setHeight(next)
    window.localStorage.setItem(storeKey, String(next))
  }
  return { height, least, most, change }
}

export function Splitter({ label, size }: { label: string; size: ReturnType<typeof useHeight> }) {
  const from = useRef<{ y: number; height: number }>(undefined)
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={size.height}
      aria-valuemin={size.least}
      aria-valuemax={size.most}
      className="group flex h-3 cursor-row-resize touch-none items-center justify-center border-t border-line bg-surface"
      onKeyDown={(event) => {
        const by = { ArrowUp: -step, ArrowDown: step }[event.key]
        if (by === undefined) return
        event.preventDefault()
        size.change(size.height + by)
      }}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { y: event.clientY, height: size.height }
      }}
      onPointerMove={(event) => {
        if (from.current) size.change(from.current.height + event.clientY - from.current.y)
      }}
      onPointerUp={() => {
        from.current = undefined
      }}
    >
      <span className="h-1 w-10 rounded-full bg-line-strong group-hover:bg-accent" aria-hidden="true" />
    </div>
  )
}
