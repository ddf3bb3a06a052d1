import { readFileSync, writeFileSync } from 'node:fs'
import type { Found } from './find.ts'

const file = new URL('../../README.md', import.meta.url)
const table = /(?<=\| Broken engine \| Invariant \| Seed \|\n\|---\|---\|---\|\n)(\|.*\n)*/

/** Updates the README's table of the first seed that detects each broken engine. */
export function writeReadmeTable(firstOf: ReadonlyMap<string, Found>): void {
  const rows = [...firstOf].map(([name, { invariant, seed }]) => `| ${name} | ${invariant} | ${seed} |\n`)
  writeFileSync(file, readFileSync(file, 'utf8').replace(table, rows.join('')))
}
