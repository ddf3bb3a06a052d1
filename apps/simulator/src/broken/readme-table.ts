import { readFileSync, writeFileSync } from 'node:fs'
import type { Found } from './find.ts'

const file = new URL('../../README.md', import.meta.url)
const table = /(?<=\| Broken engine \| Invariant \| Seed \|\n\|---\|---\|---\|\n)(\|.*\n)*/

/** Writes into the simulator's README which seed is the first to notice which broken engine. */
export function writeReadmeTable(firstOf: ReadonlyMap<string, Found>): void {
  const rows = [...firstOf].map(([name, { invariant, seed }]) => `| ${name} | ${invariant} | ${seed} |\n`)
  writeFileSync(file, readFileSync(file, 'utf8').replace(table, rows.join('')))
}
