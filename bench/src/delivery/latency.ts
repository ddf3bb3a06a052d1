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
  const text = (name: Figure) => `${medianOf(ours, name).toFixed(1)} ms, bare ${medianOf(bare, name).toFixed(1)}`
  const ceilingOf = (name: Figure) => ({ what: 'the driver, a NOTIFY and a post', value: medianOf(bare, name) })
  const p99Ms = medianOf(ours, 'p99Ms')
  const what = `publish to arrival at ${perSecond} events/s, ${endpointCount} endpoints`
  return [
    {
      what: `${what}, p50`,
      note: `from before BEGIN; commit after ${text('commitP50Ms')}; from then on ${text('fromCommitP50Ms')}`,
      unit: 'ms',
      ours: medianOf(ours, 'p50Ms'),
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

type Figure = Exclude<keyof ArrivalFigures, 'arrivals'>

const medianOf = (turns: ArrivalFigures[], name: Figure) => median(turns.map((turn) => turn[name]))
