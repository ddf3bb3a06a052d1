import type { ReadPoint } from './active-point.ts'

interface TooltipProps {
  read: ReadPoint & { colors: string[] }
  /** The place that it points to, in pixels of the chart, and the chart's width. */
  at: { x: number; y: number }
  width: number
}

/** The exact values at the pointer or the keyboard position. */
export function ChartTooltip({ read, at, width }: TooltipProps) {
  const isOnLeft = at.x > width / 2
  const side = isOnLeft ? { right: Math.max(0, width - at.x + 12) } : { left: at.x + 12 }
  return (
    <div
      data-tooltip
      className="pointer-events-none absolute z-10 max-w-[min(18rem,60%)] rounded-md border border-line bg-surface px-2.5 py-2 text-xs text-ink shadow-md"
      style={{ ...side, top: Math.max(0, at.y) }}
    >
      {read.title !== '' && <p className="mb-1 font-medium [overflow-wrap:anywhere]">{read.title}</p>}
      <ul className="grid gap-0.5">
        {read.lines.map(({ name, text }, line) => (
          <li key={line} className="flex items-baseline gap-2">
            <span className="size-2 shrink-0 self-center rounded-full" style={{ background: read.colors[line] }} />
            <span className="min-w-0 flex-1 text-soft [overflow-wrap:anywhere]">{name}</span>
            <span className="tabular-nums">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
