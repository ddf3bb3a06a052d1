import { type Measurement, ratioGoal } from '../report.ts'
import { median } from '../statistics.ts'

/** What is read at intervals. */
export interface SoakSample {
  minute: number
  /** Of the process that is never killed. */
  memoryMb: number
  openFiles: number
  /** All connections to PostgreSQL. */
  connections: number
  /** Of the tables that the load writes, per row that exists. */
  tableBytesPerRow: number
  indexBytesPerRow: number
}

type Figure = Exclude<keyof SoakSample, 'minute'>

/** How much more of each there may be at the end. Samples vary, for example with the garbage collector. */
const figures: Record<Figure, { what: string; unit: Measurement['unit']; atMost: number }> = {
  memoryMb: { what: 'Resident memory of a process that is never killed', unit: 'MB', atMost: 1.15 },
  openFiles: { what: 'Its open files and sockets', unit: 'files', atMost: 1.1 },
  connections: { what: 'Connections to PostgreSQL', unit: 'connections', atMost: 1.1 },
  tableBytesPerRow: { what: 'Size of the tables that are written, per row', unit: 'bytes', atMost: 1.1 },
  indexBytesPerRow: { what: 'Size of their indexes, per row', unit: 'bytes', atMost: 1.1 },
}

/**
 * Compares the last third of the samples with the one before. The first third does not count: caches fill, and statements are compiled.
 */
export function judgeSoak(samples: SoakSample[]): Measurement[] {
  const third = Math.floor(samples.length / 3)
  if (third === 0) throw new Error('A soak needs at least three samples.')
  const [before, last] = [samples.slice(-2 * third, -third), samples.slice(-third)]
  return (Object.keys(figures) as Figure[]).map((figure) => {
    const { what, unit, atMost } = figures[figure]
    const [ours, ceiling] = [median(last.map((each) => each[figure])), median(before.map((each) => each[figure]))]
    return { what, unit, ours, ceiling: { what: 'the third before', value: ceiling }, goal: ratioGoal({ ours, ceiling, atMost }) }
  })
}

export const soakHeads = ['minute', 'memory MB', 'files', 'connections', 'table bytes/row', 'index bytes/row'] as const

export const soakLine = (sample: SoakSample): string =>
  Object.values(sample)
    .map((value, column) => (column === 0 ? Number(value).toFixed(1) : String(Math.round(Number(value)))).padStart(soakHeads[column]!.length))
    .join('  ')
