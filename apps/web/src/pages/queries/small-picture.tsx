import type { SmallChart } from './small-chart.ts'

/** A result in a few lines or as a small drawing. */
export function SmallPicture({ chart }: { chart: SmallChart }) {
  switch (chart.kind) {
    case 'number':
      return (
        <span className="grid">
          <span className="truncate text-2xl font-semibold tabular-nums">{chart.text}</span>
          <span className="truncate text-xs text-soft">{chart.label}</span>
        </span>
      )
    case 'table':
      return (
        <span className="grid gap-1 text-xs">
          {chart.rows.map((cells, row) => (
            <span key={row} className="grid grid-cols-2 gap-2">
              {cells.map((cell, at) => <span key={at} className="truncate text-soft">{cell}</span>)}
            </span>
          ))}
        </span>
      )
    default:
      return <Drawing kind={chart.kind} values={chart.values} label={`${chart.label}: ${chart.latest}`} />
  }
}

const width = 160
const height = 56

function Drawing({ kind, values, label }: { kind: 'line' | 'bar'; values: number[]; label: string }) {
  // Bars start at zero; a line uses all of its height.
  const low = kind === 'bar' ? Math.min(0, ...values) : Math.min(...values)
  const high = Math.max(kind === 'bar' ? 0 : low, ...values)
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  const step = width / values.length
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="h-14 w-full" role="img" aria-label={label}>
      {kind === 'line' ? (
        <polyline
          fill="none"
          stroke="var(--series-1)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          points={values.map((value, at) => `${(at / Math.max(1, values.length - 1)) * width},${y(value)}`).join(' ')}
        />
      ) : (
        values.map((value, at) => (
          <rect
            key={at}
            x={at * step + step * 0.15}
            width={step * 0.7}
            y={Math.min(y(value), y(0))}
            height={Math.max(1, Math.abs(y(value) - y(0)))}
            fill="var(--series-1)"
          />
        ))
      )}
    </svg>
  )
}
