import { readFileSync, writeFileSync } from 'node:fs'

/**
 * A seed for each broken engine that detects it in few steps, to keep the test short. Written by `npm run simulate -- --broken --write`.
 * The seeds change whenever the plan of a world changes.
 */
const file = new URL('./quick-seeds.json', import.meta.url)

export const quickSeeds: ReadonlyMap<string, number> = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>),
)

export function writeQuickSeeds(seeds: ReadonlyMap<string, number>): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(seeds), null, 2)}\n`)
}
