import { drawSparkline } from '@querypost/visualization'

const box = { width: 320, height: 48, margin: 4 }

/** The course of values as a small line, with a dot at the last one. Gaps stay gaps. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const { path, last } = drawSparkline(values, box)
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${box.width} ${box.height}`} className="h-12 w-full max-w-80 text-accent">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" />
      {last && <circle cx={last[0]} cy={last[1]} r="3" fill="currentColor" />}
    </svg>
  )
}
