import { readBoardId } from '../board/read-board-id.ts'
import { writeTiles } from '../board/tile-table.ts'
import { defineCommand } from '../command.ts'
import { readParameterValues, valuesFor } from '../query/parameter-values.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description: 'Shows the tiles of a board and the state of their results. It runs nothing.',
  examples: [
    { line: 'querypost board show http://localhost:3000/b/b7Rm2QwXn4', description: 'show a board by its permalink' },
    { line: 'querypost board show b7Rm2QwXn4 --param country=DE', description: 'with values for its parameters' },
    { line: 'querypost board show b7Rm2QwXn4 --json', description: 'print the board and the state of its tiles as JSON' },
  ],
  options: {
    param: { type: 'string', multiple: true, short: 'p', value: 'name=value', description: 'set a parameter; repeat for more' },
  },
  async run(context, { operands, options }) {
    const shortId = readBoardId(operands)
    const given = readParameterValues(options.param ?? [])
    const { stdout, paint, isJson, signal } = context
    const client = openClient(context)
    try {
      const board = await client.boards.get(shortId, { signal })
      const parameters = valuesFor(given, board)
      const results = await client.boards.results(shortId, { parameters }, { signal })
      if (isJson) {
        stdout.write(`${JSON.stringify({ board, ...results })}\n`)
        return 0
      }
      stdout.write(`${paint.stdout.bold(board.title)}\n${board.permalink}\n\n`)
      writeTiles(context, board, results)
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
