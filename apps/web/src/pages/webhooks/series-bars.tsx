import type { EndpointSeries, SeriesPart } from '../../api/webhook-endpoints.ts'
import { counted } from './health-words.ts'

const gapShare = 0.25
const heightOf = { small: 28, large: 72 }
const partWidth = { small: 5, large: 20 }

/** From the bottom to the top of a bar. */
const layers = [
  { name: 'delivered', fill: 'fill-good/45' },
  { name: 'held', fill: 'fill-line-strong' },
  { name: 'retrying', fill: 'fill-series-2' },
  { name: 'exhausted', fill: 'fill-danger' },
] as const

const totalOf = (part: SeriesPart) => layers.reduce((sum, { name }) => sum + part[name], 0)

/** How deliveries went, part by part: a bar each, what failed on top. Said in words for those who do not see it. */
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
      aria-label={inWords(parts)}
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
    // What there is is seen, be it one among thousands.
    const tall = part[name] === 0 ? 0 : Math.max(2, (part[name] / most) * room)
    top -= tall
    return tall === 0 ? null : <rect key={name} x={x} y={Math.max(0, top)} width={width} height={tall} className={fill} />
  })
  return (
    <g>
      <title>{partInWords(part)}</title>
      <rect x={x} y={0} width={width} height={height} className="fill-transparent" />
      {totalOf(part) === 0 ? <rect x={x} y={height - 1} width={width} height={1} className="fill-line-strong" /> : rects}
    </g>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })

function partInWords(part: SeriesPart): string {
  return `From ${clock.format(new Date(part.at))}: ${countsInWords(part) || 'nothing sent'}`
}

function inWords(parts: SeriesPart[]): string {
  const sum = (name: (typeof layers)[number]['name']) => parts.reduce((total, part) => total + part[name], 0)
  const counts = { delivered: sum('delivered'), retrying: sum('retrying'), exhausted: sum('exhausted'), held: sum('held') }
  return `Deliveries over time: ${countsInWords(counts) || 'none'}`
}

function countsInWords(counts: Omit<SeriesPart, 'at'>): string {
  return [
    counts.delivered > 0 && `${counted(counts.delivered, 'delivery', 'deliveries')} arrived`,
    counts.retrying > 0 && `${counts.retrying.toLocaleString('en')} being retried`,
    counts.exhausted > 0 && `${counts.exhausted.toLocaleString('en')} failed`,
    counts.held > 0 && `${counts.held.toLocaleString('en')} held`,
  ]
    .filter(Boolean)
    .join(', ')
}
