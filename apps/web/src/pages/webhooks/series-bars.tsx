import type { EndpointSeries, SeriesPart } from '../../api/webhook-endpoints.ts'

const gapShare = 0.25
const heightOf = { small: 28, large: 72 }
const partWidth = { small: 5, large: 20 }

/** The layers of a bar, bottom to top. */
const layers = [
  { name: 'delivered', fill: 'fill-good/45' },
  { name: 'held', fill: 'fill-line-strong' },
  { name: 'retrying', fill: 'fill-series-2' },
  { name: 'exhausted', fill: 'fill-danger' },
] as const

const totalOf = (part: SeriesPart) => layers.reduce((sum, { name }) => sum + part[name], 0)

/** Deliveries over time, one bar per interval, failures on top. The label describes it for screen readers. */
export function SeriesBars({ series, size }: { series: EndpointSeries; size: 'small' | 'large' }) {
  const { parts } = series
  const height = heightOf[size]
  const width = parts.length * partWidth[size]
  const most = Math.max(1, ...parts.map(totalOf))
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={size === 'large' ? 'h-18 w-full' : 'h-7 w-full max-w-30'}
      preserveAspectRatio="none"
      role="img"
      aria-label={describeParts(parts)}
    >
      {parts.map((part, at) => (
        <Bar
          key={part.at}
          part={part}
          x={at * partWidth[size]}
          width={partWidth[size] * (1 - gapShare)}
          height={height}
          most={most}
        />
      ))}
    </svg>
  )
}

function Bar(props: { part: SeriesPart; x: number; width: number; height: number; most: number }) {
  const { part, x, width, height, most } = props
  const room = height - 2
  let top = height
  const rects = layers.map(({ name, fill }) => {
    // A count above zero is always visible, even one among thousands.
    const tall = part[name] === 0 ? 0 : Math.max(2, (part[name] / most) * room)
    top -= tall
    return tall === 0 ? null : <rect key={name} x={x} y={Math.max(0, top)} width={width} height={tall} className={fill} />
  })
  return (
    <g>
      <title>{describePart(part)}</title>
      <rect x={x} y={0} width={width} height={height} className="fill-transparent" />
      {totalOf(part) === 0 ? <rect x={x} y={height - 1} width={width} height={1} className="fill-line-strong" /> : rects}
    </g>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })

function describePart(part: SeriesPart): string {
  return `${clock.format(new Date(part.at))}: ${describeCounts(part) || 'no deliveries'}`
}

function describeParts(parts: SeriesPart[]): string {
  const sum = (name: (typeof layers)[number]['name']) => parts.reduce((total, part) => total + part[name], 0)
  const counts = { delivered: sum('delivered'), retrying: sum('retrying'), exhausted: sum('exhausted'), held: sum('held') }
  return `Deliveries over time: ${describeCounts(counts) || 'none'}`
}

function describeCounts(counts: Omit<SeriesPart, 'at'>): string {
  return [
    counts.delivered > 0 && `${counts.delivered.toLocaleString('en')} delivered`,
    counts.retrying > 0 && `${counts.retrying.toLocaleString('en')} retrying`,
    counts.exhausted > 0 && `${counts.exhausted.toLocaleString('en')} failed`,
    counts.held > 0 && `${counts.held.toLocaleString('en')} held`,
  ]
    .filter(Boolean)
    .join(', ')
}
