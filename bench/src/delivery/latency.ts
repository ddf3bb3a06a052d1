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
  const { turns } = await takeTurns(rounds, {
    turns: () => publishToArrival(world, { publisher, endpoints, counting: endpoints, durationMs }),
  })
  publisher.stop()
  const of = (name: Exclude<keyof ArrivalFigures, 'arrivals'>) => median(turns.map((turn) => turn[name]))
  const text = (name: Parameters<typeof of>[0]) => of(name).toFixed(1)
  const p99Ms = of('p99Ms')
  const what = `publish to arrival at ${perSecond} events/s, ${endpointCount} endpoints`
  return [
    {
      what: `${what}, p50`,
      note: `from before BEGIN; commit after ${text('commitP50Ms')} ms, from then on ${text('fromCommitP50Ms')} ms`,
      unit: 'ms',
      ours: of('p50Ms'),
    },
    {
      what: `${what}, p99`,
      note: `from before BEGIN; from the commit on ${text('fromCommitP99Ms')} ms`,
      unit: 'ms',
      ours: p99Ms,
      goal: boundGoal({ value: p99Ms, below: 3, unit: 'ms' }),
    },
  ]
}
