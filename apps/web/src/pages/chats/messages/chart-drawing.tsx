import type { ChartData } from './chart-data.ts'

const width = 640
const height = 220
const count = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** Bars, or lines for what goes on in time. */
export function ChartDrawing({ data, isBars, title }: { data: ChartData; isBars: boolean; title: string }) {
  const { labels, series, least, most } = data
  const range = most - least || 1
  const yOf = (value: number) => height - ((value - least) / range) * height
  const slot = width / labels.length
  return (
    <figure className="drawing">
      <div className="scale small soft" aria-hidden="true">
        <span>{count.format(most)}</span>
        <span>{count.format(least)}</span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={title}>
        <line className="zero" x1={0} x2={width} y1={yOf(0)} y2={yOf(0)} />
        {series.map(({ name, values }, at) =>
          isBars ? (
            <Bars key={at} {...{ values, labels, name, slot, yOf }} place={{ at, of: series.length }} />
          ) : (
            <path key={at} className={`line series-${at % 4}`} d={pathOf(values, slot, yOf)} />
          ),
        )}
      </svg>
      <figcaption className="small soft">
        <span>{labels[0]}</span>
        <span className="names">
          {series.map(({ name }, at) => <span key={at} className={`series-${at % 4}`}>{name}</span>)}
        </span>
        <span>{labels.length > 1 && labels.at(-1)}</span>
      </figcaption>
    </figure>
  )
}

function Bars(props: {
  values: (number | null)[]
  labels: string[]
  name: string
  /** Which of how many series: they stand side by side. */
  place: { at: number; of: number }
  slot: number
  yOf(value: number): number
}) {
  const { values, labels, name, place, slot, yOf } = props
  const barWidth = (slot * 0.8) / place.of
  return values.map((value, row) => {
    if (value === null) return null
    const x = row * slot + slot * 0.1 + place.at * barWidth
    const box = { x, width: barWidth, y: yOf(Math.max(0, value)), height: Math.abs(yOf(value) - yOf(0)) }
    return (
      <rect key={row} className={`series-${place.at % 4}`} {...box}>
        <title>{`${labels[row]}: ${name} ${count.format(value)}`}</title>
      </rect>
    )
  })
}

/** Begins anew after each gap. */
function pathOf(values: (number | null)[], slot: number, yOf: (value: number) => number): string {
  let isDrawing = false
  return values
    .map((value, row) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const step = `${isDrawing ? 'L' : 'M'}${(row + 0.5) * slot} ${yOf(value)}`
      isDrawing = true
      return step
    })
    .join('')
}
