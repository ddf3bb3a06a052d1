import { boundGoal, type Measurement } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { type ArrivalFigures, perSecond, publishToArrival } from './publish-to-arrival.ts'
import { startPublisher } from './publisher.ts'
import type { World } from './world.ts'

const rounds = 3
const durationMs = 20_000
const endpointCount = 100

/** Measures the time from publishing to arrival on an idle system. */
export async function measureLatency(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const publisher = startPublisher()
  const measure = (how: 'ours' | 'bare') => publishToArrival(world, { publisher, endpoints, counting: endpoints, durationMs, how })
  const { ours, bare } = await takeTurns(rounds, { ours: () => measure('ours'), bare: () => measure('bare') })
  publisher.stop()
  const of = (turns: ArrivalFigures[], name: Exclude<keyof ArrivalFigures, 'arrivals'>) => median(turns.map((turn) => turn[name]))
  const text = (name: Parameters<typeof of>[1]) => `${of(ours, name).toFixed(1)} ms, bare ${of(bare, name).toFixed(1)}`
  const ceilingOf = (name: 'p50Ms' | 'p99Ms') => ({ what: 'the driver, a NOTIFY and a post', value: of(bare, name) })
  const p99Ms = of(ours, 'p99Ms')
  const what = `publish to arrival at ${perSecond} events/s, ${endpointCount} endpoints`
  return [
    {
      what: `${what}, p50`,
      note: `from before BEGIN; commit after ${text('commitP50Ms')}; from then on ${text('fromCommitP50Ms')}`,
      unit: 'ms',
      ours: of(ours, 'p50Ms'),
      ceiling: ceilingOf('p50Ms'),
    },
    {
      what: `${what}, p99`,
      note: `from before BEGIN; commit after ${text('commitP99Ms')}; from then on ${text('fromCommitP99Ms')}`,
      unit: 'ms',
      ours: p99Ms,
      ceiling: ceilingOf('p99Ms'),
      goal: boundGoal({ value: p99Ms, below: 3, unit: 'ms' }),
    },
  ]
}
