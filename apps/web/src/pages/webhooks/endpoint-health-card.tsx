import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Endpoint, type SeriesPeriod, seriesOptions } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime, Time } from '../../ui/time.tsx'
import { formatMs, formatPercent, successRate } from './health-format.ts'
import { SeriesBars } from './series-bars.tsx'

/** The endpoint's health: figures for the last 100 deliveries, and a chart of the last day or week. */
export function EndpointHealthCard({ endpoint }: { endpoint: Endpoint }) {
  const { id, health } = endpoint
  const [period, setPeriod] = useState<SeriesPeriod>('day')
  const { data: series } = useQuery({ ...seriesOptions(id, period), placeholderData: keepPreviousData })
  const rate = successRate(health)
  return (
    <Card className="grid gap-4 p-4">
      <h2 className="sr-only">Health</h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Figure name="Success">{rate === null ? '–' : formatPercent(rate)}</Figure>
        <Figure name="p95 duration">{health.durationP95Ms === null ? '–' : formatMs(health.durationP95Ms)}</Figure>
        <Figure name="Retrying">{health.retrying}</Figure>
        <Figure name="Failed">{health.exhausted}</Figure>
      </dl>
      <div className="grid gap-2">
        <div className="flex flex-wrap items-end justify-between gap-2">
          <p className="flex flex-wrap gap-x-3 text-xs text-soft">
            <Key color="bg-good/45">Delivered</Key>
            <Key color="bg-series-2">Retrying</Key>
            <Key color="bg-danger">Failed</Key>
            <Key color="bg-line-strong">Held</Key>
          </p>
          <Field label="Chart period" isLabelHidden>
            <Select className="w-auto" value={period} onChange={(event) => setPeriod(event.target.value as SeriesPeriod)}>
              <option value="day">Last 24 hours</option>
              <option value="week">Last 7 days</option>
            </Select>
          </Field>
        </div>
        <div className="h-18">{series && <SeriesBars series={series} size="large" />}</div>
        {series && series.countedFrom !== null && (
          <p className="text-xs text-soft">
            Too many deliveries to show. The chart starts at <Time at={series.countedFrom} />.
          </p>
        )}
      </div>
      <p className="text-xs text-soft">
        Based on the last 100 deliveries, excluding tests.
        {health.lastFailure !== null && (
          <>
            {' '}Last failure{' '}
            <TextLink href={paths.webhookEndpoint(id, { delivery: health.lastFailure.deliveryId })}>
              <RelativeTime at={health.lastFailure.at} />
            </TextLink>
            : {health.lastFailure.message}
          </>
        )}
      </p>
    </Card>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

function Key({ color, children }: { color: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-2 rounded-xs ${color}`} aria-hidden="true" />
      {children}
    </span>
  )
}
