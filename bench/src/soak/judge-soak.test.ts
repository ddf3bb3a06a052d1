import { expect, test } from 'vitest'
import { judgeSoak, type SoakSample, soakHeads, soakLine } from './judge-soak.ts'

const steady = { memoryMb: 200, openFiles: 60, connections: 20, tableBytesPerRow: 900, indexBytesPerRow: 300 }
const samplesOf = (change: (minute: number) => Partial<SoakSample>): SoakSample[] =>
  Array.from({ length: 9 }, (_, minute) => ({ minute, ...steady, ...change(minute) }))
const unmet = (samples: SoakSample[]) => judgeSoak(samples).flatMap(({ what, goal }) => (goal!.isMet ? [] : [what]))

test('passes if nothing grows', () => {
  expect(unmet(samplesOf(() => ({})))).toEqual([])
})

test('ignores growth while the service warms up', () => {
  expect(unmet(samplesOf((minute) => ({ memoryMb: Math.min(200, 100 + 50 * minute) })))).toEqual([])
})

test.each<[keyof SoakSample, string]>([
  ['memoryMb', 'Resident memory of a process that is never killed'],
  ['openFiles', 'Its open files and sockets'],
  ['connections', 'Connections to PostgreSQL'],
  ['tableBytesPerRow', 'Size of the tables that are written, per row'],
  ['indexBytesPerRow', 'Size of their indexes, per row'],
])('fails if %s grows to the end', (figure, what) => {
  expect(unmet(samplesOf((minute) => ({ [figure]: 100 + 20 * minute })))).toEqual([what])
})

test('rejects a soak that is too short to judge', () => {
  expect(() => judgeSoak(samplesOf(() => ({})).slice(0, 2))).toThrow('at least three samples')
})

test('prints a sample below its heads', () => {
  const line = soakLine({ minute: 1, ...steady })
  expect(line).toBe('   1.0        200     60           20              900              300')
  expect(line.length).toBe(soakHeads.join('  ').length)
})
