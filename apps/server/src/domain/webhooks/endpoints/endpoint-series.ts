import type { EndpointSeries, SeriesPeriod } from '../../../model/endpoint-series.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Db } from '../../../store/db.ts'
import { readEndpointSeries } from '../../../store/webhooks/read-endpoint-series.ts'

const hourMs = 3600_000
/** A whole list scans fewer deliveries per endpoint than a single endpoint does. */
const lookMaxOfOne = 5000
const lookMaxOfAll = 20_000

/** Parts start at whole hours (UTC), so that they stay the same between requests. */
const shapes: Record<SeriesPeriod, { partMs: number; partCount: number }> = {
  day: { partMs: hourMs, partCount: 24 },
  week: { partMs: 6 * hourMs, partCount: 28 },
}

export async function readSeries(
  deps: { db: Db; clock: Clock },
  endpointIds: string[],
  period: SeriesPeriod,
): Promise<Map<string, EndpointSeries>> {
  const { partMs, partCount } = shapes[period]
  const lastPartMs = Math.floor(deps.clock.now().getTime() / partMs) * partMs
  const firstMs = lastPartMs - (partCount - 1) * partMs
  const lookMax = Math.min(lookMaxOfOne, Math.floor(lookMaxOfAll / Math.max(1, endpointIds.length)))
  const found = await readEndpointSeries(deps.db, { endpointIds, from: new Date(firstMs), partMs, partCount, lookMax })
  const seriesOf = (endpointId: string): EndpointSeries => {
    const { parts, lookedBackTo } = found.get(endpointId)!
    return {
      parts: Array.from({ length: partCount }, (_, part) => ({
        at: new Date(firstMs + part * partMs),
        ...(parts.get(part) ?? nothing),
      })),
      countedFrom: lookedBackTo,
    }
  }
  return new Map(endpointIds.map((endpointId) => [endpointId, seriesOf(endpointId)]))
}

const nothing = { delivered: 0, retrying: 0, exhausted: 0, held: 0 }
