import type { Backtest } from '../../api/automations.ts'

const width = 600
const height = 90
const padding = 4

/** The values over time as a line, with a mark for each result at which the alert would have fired. */
export function BacktestTimeline({ backtest }: { backtest: Backtest }) {
  const points = backtest.points.map(({ at, value, status }) => ({ ms: Date.parse(at), value: value === null ? null : Number(value), status }))
  const values = points.flatMap(({ value }) => (value === null ? [] : value))
  if (points.length < 2 || values.length === 0) return null
  const [firstMs, lastMs] = [points[0]!.ms, points.at(-1)!.ms]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (ms: number) => padding + ((ms - firstMs) / Math.max(1, lastMs - firstMs)) * (width - 2 * padding)
  const y = (value: number) => height - padding - ((value - low) / (high - low || 1)) * (height - 2 * padding)
  const line = points.flatMap(({ ms, value }) => (value === null ? [] : `${x(ms).toFixed(1)},${y(value).toFixed(1)}`)).join(' ')
  const fired = points.filter(({ status }) => status === 'firing')
  const label = `${points.length} results from ${low} to ${high}; the alert would have been firing at ${fired.length} of them.`
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="w-full" role="img" aria-label={label} preserveAspectRatio="none">
      {fired.map(({ ms }) => <line key={ms} x1={x(ms)} x2={x(ms)} y1={0} y2={height} className="stroke-danger opacity-40" strokeWidth={3} />)}
      <polyline points={line} fill="none" className="stroke-accent" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
