import type { ReferenceLineage } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description: 'Shows which tables, columns and saved queries a query reads, and which queries, boards and automations use it.',
  examples: [
    { line: 'querypost lineage k7Rm2QwXn4', description: 'show what it reads and what uses it' },
    { line: 'querypost lineage k7Rm2QwXn4 --json', description: 'the same as JSON' },
  ],
  options: {},
  async run(context, { operands }) {
    const [given, ...rest] = operands
    if (given === undefined || rest.length > 0) throw new CommandError(2, 'Name one query by its permalink or short id.')
    const { stdout, isJson, signal } = context
    try {
      const lineage = await openClient(context).lineage.ofReference(readShortId(given), { signal })
      stdout.write(isJson ? `${JSON.stringify(lineage)}\n` : describe(lineage))
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})

function describe({ tables, references, isComplete, usedBy }: ReferenceLineage): string {
  const reads = [
    ...tables.map(({ schema, name, columns, readsAllColumns }) => {
      const table = schema === null ? name : `${schema}.${name}`
      const read = readsAllColumns ? 'all columns' : columns.join(', ')
      return `table ${table}${read === '' ? '' : ` (${read})`}`
    }),
    ...references.map(queryLine),
    ...(isComplete ? [] : ['possibly more, which the SQL does not tell']),
  ]
  const users = [
    ...usedBy.references.map(queryLine),
    ...usedBy.boards.map(({ shortId, title }) => `board ${shortId}  ${title}`),
    ...usedBy.automations.map(({ id, name }) => `automation ${id}  ${name}`),
  ]
  return `Reads\n${indented(reads)}\nUsed by\n${indented(users)}`
}

const queryLine = ({ shortId, title }: { shortId: string; title: string }) => `query ${shortId}  ${title}`

const indented = (lines: string[]) => (lines.length === 0 ? ['nothing'] : lines).map((line) => `  ${line}\n`).join('')
