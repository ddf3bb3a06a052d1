import { defineCommand } from '../command.ts'
import { findQuery } from '../query/find-query.ts'
import { readOutputChoice, resultOptions } from '../query/formats.ts'
import { writeResult } from '../query/write-result.ts'
import { toCommandError, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId | queryId>',
  description:
    'Shows the cached result of a query’s latest successful run, or writes it in a format for other programs. ' +
    'It does not run the query. Results of any size are streamed, so they take little memory.\n\n' +
    'CSV is safe for spreadsheets: text that a spreadsheet would execute as a formula gets a leading apostrophe. ' +
    '--raw turns that off.',
  examples: [
    { line: 'querypost query result k7Rm2QwXn4', description: 'show the first rows as a table' },
    { line: 'querypost query result k7Rm2QwXn4 --format csv | head', description: 'print CSV' },
    { line: 'querypost query result k7Rm2QwXn4 --format jsonl | jq .revenue', description: 'print one JSON object per row' },
    {
      line: 'querypost query result k7Rm2QwXn4 --output orders.parquet',
      description: 'write a file, in the format of its extension',
    },
  ],
  options: resultOptions,
  async run(context, { operands, options }) {
    const choice = readOutputChoice(context, options)
    const client = openClient(context)
    try {
      const { queryId } = await findQuery(client, operands, context.signal)
      await writeResult(context, { choice, open: (format) => client.queries.resultStream(queryId, { signal: context.signal, ...format }) })
      return 0
    } catch (error) {
      if (context.signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
