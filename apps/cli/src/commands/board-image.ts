import { writeFile } from 'node:fs/promises'
import { readBoardId } from '../board/read-board-id.ts'
import { CommandError, defineCommand } from '../command.ts'
import { readParameterValues, valuesFor } from '../query/parameter-values.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId> --output <file>',
  description: 'Saves a board with its stored results as a PNG image. It runs nothing: use `querypost board refresh` first for fresh figures.',
  examples: [
    { line: 'querypost board image b7Rm2QwXn4 --output revenue.png', description: 'write a file' },
    { line: 'querypost board image b7Rm2QwXn4 --param country=DE > revenue.png', description: 'write to standard output' },
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'file', description: 'the file to write (default: standard output)' },
    param: { type: 'string', multiple: true, short: 'p', value: 'name=value', description: 'set a parameter; repeat for more' },
    tab: { type: 'string', value: 'id', description: 'the tab to draw (default: the first)' },
  },
  async run(context, { operands, options }) {
    const shortId = readBoardId(operands)
    const { stdout, stderr, signal } = context
    const { output, tab } = options
    const given = readParameterValues(options.param ?? [])
    if (output === undefined && stdout.isTTY) {
      throw new CommandError(2, 'An image is not text. Use --output revenue.png to write a file.')
    }
    let image: Uint8Array
    try {
      const client = openClient(context)
      const parameters = Object.keys(given).length === 0 ? {} : valuesFor(given, await client.boards.get(shortId, { signal }))
      image = await client.boards.image(shortId, { signal, parameters, ...(tab !== undefined && { tab }) })
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
    if (output === undefined) {
      stdout.write(image)
      return 0
    }
    await writeFile(output, image).catch((error: Error) => {
      throw new CommandError(1, `Can’t write ${output}: ${error.message}`)
    })
    stderr.write(`Wrote ${output}\n`)
    return 0
  },
})
