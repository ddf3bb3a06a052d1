import type { Reference } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { openClient } from '../service-client.ts'
import { readConnection } from '../service-connection.ts'
import { limitOption, readFirst, readLimit, writeList } from '../write-list.ts'

export const command = defineCommand({
  usage: '[--search <text>]',
  description:
    'Lists the saved queries of your organization, newest first, with their permalinks. ' +
    '`querypost query run` and `querypost query result` take a permalink or its short id.',
  examples: [
    { line: 'querypost query list', description: 'list the 50 newest' },
    { line: 'querypost query list --search revenue', description: 'find queries by title, description or SQL' },
    { line: 'querypost query list --limit 0 --json', description: 'list all queries as JSON' },
  ],
  options: {
    search: { type: 'string', short: 's', value: 'text', description: 'only queries with this text in their title, description or SQL' },
    ...limitOption,
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `Did you mean --search ${operands.join(' ')}?`)
    const maxCount = readLimit(options.limit)
    const { search } = options
    const list = openClient(context).references.list({ limit: 100, signal: context.signal })
    const found = await readFirst(context, matching(list, search), maxCount)
    if (!found) return 1
    const { baseUrl } = readConnection(context)
    writeList(context, found, {
      columns: [
        { name: 'permalink', isNumber: false, isNeverCut: true },
        { name: 'title', isNumber: false },
      ],
      rowOf: ({ shortId, title }) => [`${baseUrl}/q/${shortId}`, title],
      whenEmpty: search === undefined ? 'No saved queries yet.' : `No saved query contains ${JSON.stringify(search)}.`,
    })
    return 0
  },
})

async function* matching(references: AsyncIterable<Reference>, search: string | undefined): AsyncGenerator<Reference> {
  for await (const reference of references) if (matches(reference, search)) yield reference
}

function matches({ title, description, currentQuery }: Reference, search: string | undefined): boolean {
  if (search === undefined) return true
  const searched = search.toLowerCase()
  return [title, description ?? '', currentQuery.sql].some((text) => text.toLowerCase().includes(searched))
}
