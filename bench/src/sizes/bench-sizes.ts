import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Measurement, ratioGoal, report } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { type Probe, listProbes } from './probe-lists.ts'
import { requestProbes } from './probe-requests.ts'
import { finishWalks, workProbes } from './probe-work.ts'
import { processorMs } from './processor-time.ts'
import type { Site } from './site.ts'
import { fullSizes, sizesAt } from './sizes.ts'
import { makeSites, type StoreKind } from './make-sites.ts'

const rounds = 7
const actsPerRound = 4
const smallerBy = 1000

/** Fills two stores, one a thousand times as large as the other, and measures the same on both. */
export async function benchSizes(parameters: string[]): Promise<void> {
  const { scale, store, match, isMatchingAll } = readOptions(parameters)
  const begun = { at: new Date(), load: loadavg()[0]! }
  const large = sizesAt(scale)
  const { sites, close } = await makeSites(store, { large, small: sizesAt(scale / smallerBy) })
  try {
    const measurements: Measurement[] = []
    const failures: unknown[] = []
    for (const probe of await allProbes(sites)) {
      if (!match.test(probe.what)) continue
      try {
        measurements.push(await measure(probe, sites))
      } catch (cause) {
        // The store took an hour to fill: measure the rest.
        failures.push(new Error(`Failed: ${probe.what}`, { cause }))
      }
    }
    const isWhole = scale === 1 && store === 'postgres' && isMatchingAll && failures.length === 0
    const title = `The service on a store with ${large.events.toLocaleString('en-US')} events, against one of a thousandth of the size`
    await report({ name: 'sizes', title, measurements, begun, isWhole })
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be measured.')
  } finally {
    await close()
  }
}

function readOptions(parameters: string[]): { scale: number; store: StoreKind; match: RegExp; isMatchingAll: boolean } {
  const { values } = parseArgs({
    args: parameters,
    options: { scale: { type: 'string' }, store: { type: 'string', default: 'postgres' }, match: { type: 'string', default: '' } },
  })
  const { store } = values
  if (store !== 'postgres' && store !== 'embedded') throw new Error('--store must be postgres or embedded.')
  // The embedded store is for a team, not for a company.
  const scale = Number(values.scale ?? (store === 'postgres' ? 1 : 0.005))
  if (!(scale > 0 && scale <= 1)) throw new Error(`--scale must be above 0 and at most 1, which is ${fullSizes.events.toLocaleString('en-US')} events.`)
  return { scale, store, match: new RegExp(values.match, 'i'), isMatchingAll: values.match === '' }
}

export async function allProbes({ large, small }: Record<'large' | 'small', Site>): Promise<Probe[]> {
  const lists = await listProbes([large, small])
  for (const site of [large, small]) await finishWalks(site)
  return [...lists, ...requestProbes, ...workProbes]
}

export async function measure({ what, act }: Probe, sites: Record<'large' | 'small', Site>): Promise<Measurement> {
  const averageMs = async (site: Site) => {
    const ms = await processorMs(site, async () => {
      for (let acts = 0; acts < actsPerRound; acts += 1) await act(site)
    })
    return ms / actsPerRound
  }
  const figures = await takeTurns(rounds, { large: () => averageMs(sites.large), small: () => averageMs(sites.small) })
  const [ours, ceiling] = [median(figures.large), median(figures.small)]
  return { what, unit: 'CPU ms', ours, ceiling: { what: 'small store', value: ceiling }, goal: ratioGoal({ ours, ceiling, atMost: 1.5 }) }
}
