import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { readOutputChoice, resultOptions } from '../query/formats.ts'
import { writeResult } from '../query/write-result.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId> <runId>',
  description:
    'Shows a kept result of a saved query, or writes it in a format for other programs. `querypost results list` shows the runs. ' +
    'Results of any size are streamed, so they take little memory.',
  examples: [
    { line: 'querypost results get k7Rm2QwXn4 run_3fGh7JkLmNpQrStUvWxYz2', description: 'show the first rows as a table' },
    {
      line: 'querypost results get k7Rm2QwXn4 run_3fGh7JkLmNpQrStUvWxYz2 --output january.csv',
      description: 'write a file, in the format of its extension',
    },
  ],
  options: resultOptions,
  async run(context, { operands, options }) {
    const [given, runId, ...rest] = operands
    if (given === undefined || runId === undefined || rest.length > 0) {
      throw new CommandError(2, 'Name one query and one run. `querypost results list` shows the runs.')
    }
    const choice = readOutputChoice(context, options)
    const shortId = readShortId(given)
    const client = openClient(context)
    try {
      await writeResult(context, { choice, open: (format) => client.results.stream(shortId, runId, { signal: context.signal, ...format }) })
      return 0
    } catch (error) {
      if (context.signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
