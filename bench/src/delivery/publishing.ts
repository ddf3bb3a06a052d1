import type { Measurement } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { clearDeliveries } from './backlog.ts'
import { type EagerPublishRequest, startEagerPublisher } from './eager-publisher.ts'
import { secondsOf, secondsOfFamily } from './processor-time.ts'
import type { World } from './world.ts'

const rounds = 3
const durationMs = 4_000
const endpointCount = 8
const publisherCount = 16

interface Figures {
  perSecond: number
  /** CPU seconds per 1,000 events. */
  publisherSeconds: number
  storeSeconds: number
}

/** Measures events per second when nothing is delivered. */
export async function measurePublishing(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const publisher = startEagerPublisher()
  async function measure(how: EagerPublishRequest['how']): Promise<Figures> {
    await world.sql.query('checkpoint')
    const read = () => ({ publisher: secondsOf(publisher.pid), store: secondsOfFamily(world.postgres.pid) })
    const before = read()
    const { count, perSecond } = await publisher.ask({
      databaseUrl: world.postgres.url,
      how,
      endpoints: endpoints.map(({ id, organizationId }) => ({ id, organizationId })),
      publisherCount,
      durationMs,
    })
    const after = read()
    await clearDeliveries(world.sql)
    const each = (name: keyof typeof before) => ((after[name] - before[name]) / count) * 1000
    return { perSecond, publisherSeconds: each('publisher'), storeSeconds: each('store') }
  }
  const { ours, bare } = await takeTurns(rounds, { ours: () => measure('ours'), bare: () => measure('bare') })
  publisher.stop()
  const perSecond = of(ours, 'perSecond')
  return [
    {
      what: `events published by ${publisherCount} transactions at a time`,
      unit: 'events/s',
      ours: perSecond,
      ceiling: { what: 'the driver alone, BEGIN, two INSERTs, COMMIT', value: of(bare, 'perSecond') },
      goal: { text: '≥ 3,000 events/s', isMet: perSecond >= 3_000 },
    },
    {
      what: 'CPU seconds per 1,000 events published',
      note: `the publisher ${of(ours, 'publisherSeconds').toFixed(2)}, PostgreSQL ${of(ours, 'storeSeconds').toFixed(2)}`,
      unit: 'CPU s',
      ours: secondsOfAll(ours),
      ceiling: { what: 'the driver alone', value: secondsOfAll(bare) },
    },
  ]
}

const of = (figures: Figures[], name: keyof Figures) => median(figures.map((each) => each[name]))
const secondsOfAll = (figures: Figures[]) => of(figures, 'publisherSeconds') + of(figures, 'storeSeconds')
