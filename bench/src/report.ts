import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'

/** A row of the table: Querypost and its comparison, measured in the same run. */
export interface Measurement {
  what: string
  unit: 'ms' | 'CPU ms' | 'requests/s' | 'MB' | 'deliveries/s' | 'events/s' | 'CPU s' | 'rows' | 'automations' | 'recipients' | 'runs' | 'kB' | 'frames/s' | 'files' | 'connections' | 'statements' | 'bytes' | 'events' | 's' | 'times' | 'phases' | 'deliveries' | 'pages'
  ours: number
  ceiling?: { what: string; value: number }
  goal?: { text: string; isMet: boolean }
  note?: string
}

/** A goal for the ratio of Querypost to the ceiling. */
export function ratioGoal(options: { ours: number; ceiling: number; atMost?: number; atLeast?: number }) {
  const ratio = options.ours / options.ceiling
  const { atMost, atLeast } = options
  return atMost === undefined
    ? { text: `≥ ${atLeast}×`, isMet: ratio >= atLeast! }
    : { text: `≤ ${atMost}×`, isMet: ratio <= atMost }
}

export const boundGoal = (options: { value: number; below: number; unit: string; what?: string }) => ({
  text: `${options.what ? `${options.what} ` : ''}< ${options.below} ${options.unit}`,
  isMet: options.value < options.below,
})

function round(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
}

function cells({ what, unit, ours, ceiling, goal, note }: Measurement): string[] {
  return [
    note ? `${what} (${note})` : what,
    `${round(ours)} ${unit}`,
    ceiling ? `${round(ceiling.value)} ${unit}: ${ceiling.what}` : '',
    ceiling ? `${(ours / ceiling.value).toFixed(2)}×` : '',
    goal?.text ?? '',
    goal ? (goal.isMet ? 'yes' : '**no**') : '',
  ]
}

const heads = ['What', 'Ours', 'Compared with', 'Ratio', 'Goal', 'Met']

function table(rows: string[][]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

const inTurns = 'Both sides of a line were measured in turns in one run, and each figure is the median of its rounds: read the ratios.'

/** Prints the table. Writes it as Markdown and JSON if the run was complete. */
export async function report(options: {
  name: string
  title: string
  measurements: Measurement[]
  /** When the run began, and the load of the machine at that time. */
  begun: { at: Date; load: number }
  isWhole: boolean
  /** How both sides of a line were measured. */
  method?: string
}): Promise<void> {
  const { name, title, measurements, begun, method = inTurns } = options
  const text = table(measurements.map(cells))
  console.log(`\n${text}`)
  if (!options.isWhole) return
  const machine = {
    processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    loadBefore: begun.load,
    loadAfter: loadavg()[0]!,
    begunAt: begun.at.toISOString(),
    seconds: Math.round((Date.now() - begun.at.getTime()) / 1000),
  }
  const about =
    `${machine.begunAt}, Node ${machine.node}, ${machine.processor}, ${machine.seconds} s; ` +
    `load average before ${machine.loadBefore.toFixed(1)}, after ${machine.loadAfter.toFixed(1)}.\n${method}`
  const folder = new URL('../results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(`${name}.md`, folder), `# ${title}\n\n${about}\n\n${text}\n`)
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify({ machine, measurements }, null, 2)}\n`)
}
