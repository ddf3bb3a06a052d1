import { defineCommand } from '../command.ts'
import { findQuery } from '../query/find-query.ts'
import { readWanted, resultOptions } from '../query/formats.ts'
import { writeResult } from '../query/write-result.ts'
import { asComplaint, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '<shortId | queryId>',
  description:
    'Shows the cached result of a query’s latest successful run, or writes it in a format for other programs. ' +
    'The query is not run. A\n' +
    'result of any size is passed on as it comes, in little memory. CSV is made for spreadsheets: a text that ' +
    'one would execute as a\n' +
    'formula gets an apostrophe in front; --raw leaves it as it is.',
  examples: [
    { line: 'querypost query result k7Rm2QwXn4', does: 'the first rows as a table' },
    { line: 'querypost query result k7Rm2QwXn4 --format csv | head', does: 'CSV' },
    { line: 'querypost query result k7Rm2QwXn4 --format jsonl | jq .revenue', does: 'an object a row' },
    {
      line: 'querypost query result k7Rm2QwXn4 --output orders.parquet',
      does: 'into a file, in the format that its name tells',
    },
  ],
  options: resultOptions,
  async run(context, { operands, options }) {
    const wanted = readWanted(context, options)
    const client = openClient(context)
    try {
      const { queryId } = await findQuery(client, operands, context.signal)
      await writeResult(context, client, { queryId, wanted })
      return 0
    } catch (error) {
      if (context.signal.aborted) return 1
      throw asComplaint(error)
    }
  },
})
