import type { ExplainedChange } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '<permalink | shortId> --from <runId> --to <runId>',
  description:
    'Explains why two kept results of a saved query differ: what the SQL, the parameters and the data contribute, and which rows and ' +
    'values contribute most. All parts add up to the difference exactly. `querypost results list` shows the runs.',
  examples: [
    { line: 'querypost results why k7Rm2QwXn4 --from run_a --to run_b', description: 'explain every column that can be added up' },
    {
      line: 'querypost results why k7Rm2QwXn4 --from run_a --to run_b --measure orders --denominator visits',
      description: 'explain the ratio of two columns',
    },
  ],
  options: {
    from: { type: 'string', value: 'runId', description: 'the run of the earlier result' },
    to: { type: 'string', value: 'runId', description: 'the run of the later result' },
    measure: { type: 'string', value: 'column', description: 'explain only this column' },
    denominator: { type: 'string', value: 'column', description: 'divide by this column, to explain a ratio' },
  },
  async run(context, { operands, options }) {
    const [given, ...rest] = operands
    const { from, to, measure, denominator } = options
    if (given === undefined || rest.length > 0) throw new CommandError(2, 'Name one query by its permalink or short id.')
    if (from === undefined || to === undefined) throw new CommandError(2, 'Name two runs with --from and --to. `querypost results list` shows the runs.')
    const { stdout, isJson, signal } = context
    let explained: ExplainedChange
    try {
      explained = await openClient(context).results.why(readShortId(given), { from, to, measure, denominator, signal })
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
    stdout.write(isJson ? `${JSON.stringify(explained)}\n` : `${describe(explained, context).join('\n')}\n`)
    return 0
  },
})

type Context = Parameters<(typeof command)['run']>[0]

function describe({ measures, steps }: ExplainedChange, { stdout, paint }: Context): string[] {
  if (measures.length === 0) return ['No column of both results can be added up, so there is nothing to explain.']
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  const lines: string[] = []
  for (const measure of measures) {
    lines.push(paint.stdout.bold(`${nameOf(measure)}: ${measure.before} → ${measure.after} (${signed(measure.difference)})`))
    for (const { causes, difference } of measure.parts) lines.push(`  ${causes.join(' and ')}: ${signed(difference)}`)
    for (const step of steps) {
      const change = step.measures.find(({ column }) => column === measure.column)!
      if (change.difference === '0' && step.added + step.removed + step.changed === 0) continue
      lines.push('', `From ${step.from.at} to ${step.to.at}, ${step.causes.join(' and ')}: ${signed(change.difference)}`)
      const { added, removed, changed } = change.rows
      lines.push(`  ${step.added} ${step.added === 1 ? 'row' : 'rows'} added: ${signed(added)}, ${step.removed} removed: ${signed(removed)}, ${step.changed} changed: ${signed(changed)}`)
      for (const { columns, contributions, rest } of change.breakdowns) {
        if (contributions.length === 0) continue
        const rows = contributions.map(({ values, difference }) => [values.map(String).join(', '), signed(difference)])
        if (rest.count > 0) rows.push([`everything else (${rest.count})`, signed(rest.difference)])
        const shown = [{ name: columns.join(', '), isNumber: false }, { name: 'difference', isNumber: true }]
        lines.push('', drawTable({ columns: shown, rows, width, paint: paint.stdout }).text.trimEnd())
      }
    }
    lines.push('')
  }
  return lines.slice(0, -1)
}

const nameOf = ({ column, denominator }: { column: string; denominator: string | null }) =>
  denominator === null ? column : `${column} / ${denominator}`

const signed = (number: string) => (number.startsWith('-') || number === '0' ? number : `+${number}`)
