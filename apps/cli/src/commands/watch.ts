import type { ResultChange } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description:
    'Prints the changes of a saved query that publishes them, one per line: first those after the given number, then each new one until you ' +
    'press Ctrl+C. Without --after it begins with the next change.',
  examples: [
    { line: 'querypost watch k7Rm2QwXn4', description: 'print changes from now on' },
    { line: 'querypost watch k7Rm2QwXn4 --after 12 --json', description: 'go on after change 12, as JSON lines' },
    { line: 'querypost watch k7Rm2QwXn4 --after 0 --once', description: 'print all changes so far' },
  ],
  options: {
    after: { type: 'string', value: 'number', description: 'only changes with a higher number (default: from now on)' },
    once: { type: 'boolean', description: 'stop after the changes so far' },
    every: { type: 'string', value: 'seconds', default: '15', description: 'how often to look for new changes (default: 15)' },
  },
  async run(context, { operands, options }) {
    const [given, ...rest] = operands
    if (given === undefined || rest.length > 0) throw new CommandError(2, 'Name one query by its permalink or short id.')
    if (options.after !== undefined && !/^\d{1,15}$/.test(options.after)) {
      throw new CommandError(2, `--after ${options.after} is not a number. Example: --after 12`)
    }
    if (!/^[1-9]\d{0,4}$/.test(options.every)) throw new CommandError(2, `--every ${options.every} is not a number of seconds. Example: --every 15`)
    const shortId = readShortId(given)
    const { stdout, isJson, signal } = context
    const { references } = openClient(context)
    const print = (change: ResultChange) => stdout.write(`${isJson ? JSON.stringify(change) : lineOf(change)}\n`)
    try {
      const after = options.after === undefined ? await references.latestChange(shortId, { signal }) : Number(options.after)
      const watched = options.once
        ? references.changes(shortId, { after, signal })
        : references.watch(shortId, { after, signal, intervalMs: Number(options.every) * 1000 })
      for await (const change of watched) print(change)
      return 0
    } catch (error) {
      // Ctrl+C is how this command ends.
      if (signal.aborted) return 0
      throw toCommandError(error)
    }
  },
})

const lineOf = ({ number, at, added, removed, changed, isReplacement, rowsUrl }: ResultChange) =>
  `${number}  ${at}  +${added} -${removed} ~${changed}${isReplacement ? '  (columns changed)' : ''}  ${rowsUrl}`
