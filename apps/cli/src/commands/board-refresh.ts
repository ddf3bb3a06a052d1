import type { BoardResults } from '@querypost/client'
import { readBoardId } from '../board/read-board-id.ts'
import { writeTiles } from '../board/tile-table.ts'
import { defineCommand } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'
import { readParameterValues, valuesFor } from '../query/parameter-values.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description:
    'Runs the queries of a board and waits for them. Fails if a tile fails. Tiles with the same query and values share a run.\n\n' +
    'If you interrupt the command, the runs continue.',
  examples: [
    { line: 'querypost board refresh b7Rm2QwXn4', description: 'run all tiles' },
    { line: 'querypost board refresh b7Rm2QwXn4 --param country=DE --only-missing', description: 'run tiles without a result' },
    { line: 'querypost board refresh b7Rm2QwXn4 --no-wait', description: 'start the runs and return at once' },
  ],
  options: {
    param: { type: 'string', multiple: true, short: 'p', value: 'name=value', description: 'set a parameter; repeat for more' },
    'only-missing': { type: 'boolean', default: false, description: 'run only tiles without a stored result' },
    'no-wait': { type: 'boolean', default: false, description: 'start the runs and return' },
  },
  async run(context, { operands, options }) {
    const shortId = readBoardId(operands)
    const given = readParameterValues(options.param ?? [])
    const { stdout, isJson, signal } = context
    const client = openClient(context)
    const line = makeProgressLine(context)
    try {
      const board = await client.boards.get(shortId, { signal })
      const parameters = valuesFor(given, board)
      const input = { parameters, ...(options['only-missing'] && { onlyMissing: true }) }
      const results = options['no-wait']
        ? await client.boards.refresh(shortId, input, { signal })
        : await client.boards.refreshAndWait(shortId, input, { signal, onResults: (latest) => line.show(describeProgress(latest)) })
      line.clear()
      if (isJson) stdout.write(`${JSON.stringify(results)}\n`)
      else writeTiles(context, board, results)
      return results.tiles.some(({ status }) => status === 'failed') ? 1 : 0
    } catch (error) {
      line.clear()
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})

function describeProgress({ tiles }: BoardResults): string {
  const running = tiles.filter(({ status }) => status === 'running').length
  return `${tiles.length - running} of ${tiles.length} tiles done`
}
