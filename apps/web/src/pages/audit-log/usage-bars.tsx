import { describeRequests, type DayUsage } from './usage-days.ts'

const height = 36
const step = 8
const barWidth = 6

/** One bar per day, with rejected and failed requests on top. The label describes it for screen readers. */
export function UsageBars({ days }: { days: DayUsage[] }) {
  const most = Math.max(1, ...days.map(({ requestCount }) => requestCount))
  const total = days.reduce((sum, { requestCount }) => sum + requestCount, 0)
  const requests = total === 1 ? 'request' : 'requests'
  const busiest = days.reduce((one, other) => (other.requestCount > one.requestCount ? other : one))
  const summary = `${total.toLocaleString('en')} ${requests} in ${days.length} days`
  return (
    <svg
      viewBox={`0 0 ${days.length * step} ${height}`}
      className="h-9 w-full"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${summary}, most on ${busiest.day}: ${busiest.requestCount.toLocaleString('en')}`}
    >
      {days.map((day, at) => <Bar key={day.day} day={day} x={at * step} most={most} />)}
    </svg>
  )
}

function Bar({ day, x, most }: { day: DayUsage; x: number; most: number }) {
  const { requestCount, refusedCount, failedCount } = day
  // A count above zero is always visible, even one among thousands.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)))
  const layers = [
    { count: requestCount - refusedCount - failedCount, fill: 'fill-series-1' },
    { count: refusedCount, fill: 'fill-series-2' },
    { count: failedCount, fill: 'fill-danger' },
  ]
  let top = height
  return (
    <g>
      <title>{`${day.day}: ${describeRequests(day)}`}</title>
      <rect x={x} y={0} width={barWidth} height={height} className="fill-transparent" />
      {requestCount === 0 && <rect x={x} y={height - 1} width={barWidth} height={1} className="fill-line-strong" />}
      {layers.map(({ count, fill }) => {
        top -= tall(count)
        return count === 0 ? null : (
          <rect key={fill} x={x} y={Math.max(0, top)} width={barWidth} height={tall(count)} className={fill} />
        )
      })}
    </g>
  )
}
