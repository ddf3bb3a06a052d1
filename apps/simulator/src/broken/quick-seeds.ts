import { readFileSync, writeFileSync } from 'node:fs'

/**
 * For each broken engine a seed that notices it in few steps, so that the test is short. Written by
 * `npm run simulate -- --broken --write`; the seeds move whenever the plan of a world changes.
 */
const file = new URL('./quick-seeds.json', import.meta.url)

export const quickSeeds: ReadonlyMap<string, number> = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>),
)

export function writeQuickSeeds(seeds: ReadonlyMap<string, number>): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(seeds), null, 2)}\n`)
}
