import type { ReactNode } from 'react'
import type { DailyModelUse, ModelBudget, ModelUsageReport, ModelUseGroup } from '../../api/model-budget.ts'
import { paths } from '../../paths.ts'
import { Hint } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { describeUse, fillDays, limitProgress, tokensOf } from './model-use.ts'

/** What the model has used in the last days, and how much of each limit that is. Members see their own use. */
export function ModelUsage({ report, budget, isAdmin }: { report: ModelUsageReport; budget: ModelBudget; isAdmin: boolean }) {
  const { total, people, sources, models } = report
  const unpriced = models.filter(({ cost }) => cost === null).map(({ model }) => model)
  const line = (group: ModelUseGroup) => ({ group, report, currency: budget.currency })
  return (
    <div className="grid gap-5">
      <LimitList budget={budget} report={report} />
      {total.requestCount === 0 ? (
        <p className="text-soft">{isAdmin ? 'The model' : 'You'} used no tokens in the last {report.days} days.</p>
      ) : (
        <UseLine {...line(total)} label={isAdmin ? 'Everyone' : 'You'} />
      )}
      {budget.prices.length > 0 && unpriced.length > 0 && (
        <Hint kind="warning">No price is set for {unpriced.join(', ')}. Costs and limits in money leave it out.</Hint>
      )}
      {isAdmin && (
        <UseList title="People">{people.map((each) => <UseLine key={each.id} {...line(each)} label={each.name} />)}</UseList>
      )}
      <UseList title="Automations and chats">
        {sources.map((each) => (
          <UseLine
            key={each.id ?? each.kind}
            {...line(each)}
            label={each.id === null ? each.name : <TextLink href={paths.automation(each.id)}>{each.name}</TextLink>}
          />
        ))}
      </UseList>
      <UseList title="Models">{models.map((each) => <UseLine key={each.model} {...line(each)} label={each.model} />)}</UseList>
    </div>
  )
}

function LimitList({ budget, report }: { budget: ModelBudget; report: ModelUsageReport }) {
  const progress = limitProgress(budget, report.spent)
  if (progress.length === 0) return null
  return (
    <ul className="grid gap-2" aria-label="Limits">
      {progress.map(({ label, used, limit, fraction }) => (
        <li key={`${label} ${limit}`} className="grid gap-1">
          <span className="flex flex-wrap justify-between gap-x-4 text-xs">
            <span>{label}</span>
            <span className={fraction === 1 ? 'text-danger' : 'text-soft'}>{used} of {limit}</span>
          </span>
          <progress className="h-1.5 w-full accent-accent" value={fraction} max={1} aria-label={`${label}: ${used} of ${limit}`} />
        </li>
      ))}
    </ul>
  )
}

function UseList({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <div className="grid gap-2" role="group" aria-label={title}>
      <h3 className="font-medium">{title}</h3>
      {children}
    </div>
  )
}

interface UseLineProps {
  label: ReactNode
  group: ModelUseGroup
  report: Pick<ModelUsageReport, 'from' | 'days'>
  currency: string | null
}

function UseLine({ label, group, report, currency }: UseLineProps) {
  return (
    <div className="grid items-center gap-x-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <span>{label}</span> <span className="block text-xs text-soft">{describeUse(group, currency)}</span>
      </p>
      <TokenBars days={fillDays(group.days, report)} currency={currency} />
    </div>
  )
}

const height = 28
const step = 8
const barWidth = 6

/** One bar per day. The label describes it for screen readers. */
function TokenBars({ days, currency }: { days: DailyModelUse[]; currency: string | null }) {
  const most = Math.max(1, ...days.map(tokensOf))
  const busiest = days.reduce((one, other) => (tokensOf(other) > tokensOf(one) ? other : one))
  return (
    <svg
      viewBox={`0 0 ${days.length * step} ${height}`}
      className="h-7 w-full"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Tokens per day, most on ${busiest.day}: ${tokensOf(busiest).toLocaleString('en')}`}
    >
      {days.map((day, at) => {
        const tokens = tokensOf(day)
        // A count above zero is always visible.
        const tall = tokens === 0 ? 1 : Math.max(2, (tokens / most) * (height - 2))
        return (
          <g key={day.day}>
            <title>{`${day.day}: ${describeUse(day, currency)}`}</title>
            <rect x={at * step} y={0} width={barWidth} height={height} className="fill-transparent" />
            <rect
              x={at * step}
              y={height - tall}
              width={barWidth}
              height={tall}
              className={tokens === 0 ? 'fill-line-strong' : 'fill-series-1'}
            />
          </g>
        )
      })}
    </svg>
  )
}
