import { CommandError, defineCommand } from '../command.ts'
import { defaultEventTypes, eventTypes, readEventType } from '../event-type.ts'
import { retriesMax } from '../listen/forward.ts'
import { listen } from '../listen/listen.ts'
import { readSince } from '../listen/since.ts'
import { readTarget } from '../listen/target.ts'
import { toCommandError, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '[--forward <url>]',
  description:
    'Shows your organization’s events as they happen and forwards them, signed, to a receiver on your machine. You need no\n' +
    'public URL and no tunnel: the connection goes out from your machine. Endpoints still get their deliveries.\n' +
    '\n' +
    'It prints your local signing secret, which stays the same between sessions. A forwarded request is like a delivery:\n' +
    'the same headers and body, a 10-second timeout, any 2xx counts as success, and redirects are not followed. It is sent\n' +
    'once (--retries for more), while a real endpoint gets eight attempts over 36 hours. A lost connection is reopened\n' +
    'without losing events.',
  examples: [
    { line: 'querypost listen --forward http://localhost:4000/hook', description: 'test a receiver' },
    { line: 'querypost listen --type automation.run.failed --print', description: 'read the payloads of failures' },
    { line: 'querypost listen --since 10m --forward localhost:4000/hook', description: 'start with the events of the last ten minutes' },
    { line: "querypost listen --json | jq -r 'select(.body).body'", description: 'print only the bodies' },
  ],
  options: {
    forward: { type: 'string', short: 'f', value: 'url', description: 'POST each event to this URL: https, or http on this machine' },
    type: { type: 'string', multiple: true, value: 'type', description: `only events of this type: ${eventTypes.join(', ')}. Default: ${defaultEventTypes.join(', ')}` },
    since: { type: 'string', value: 'time', description: 'start with past events: 10m, 2h, 1d ago, or a time' },
    header: { type: 'string', multiple: true, short: 'H', value: 'name: value', description: 'add this header; repeat for more' },
    retries: { type: 'string', value: 'n', default: '0', description: `retry a failed forward, up to ${retriesMax} times` },
    print: { type: 'boolean', short: 'p', default: false, description: 'show the bodies too' },
    save: { type: 'string', value: 'file', description: 'write the latest request to this file, for `querypost verify --request`' },
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `To forward events, use --forward ${operands[0]}`)
    const types = options.type?.flatMap((typed) => typed.split(',')).map(readEventType)
    const since = options.since === undefined ? undefined : readSince(options.since, context.clock.now())
    const target = options.forward === undefined ? null : readTarget(options.forward, options.header ?? [])
    if (!target && options.header) throw new CommandError(2, '--header needs --forward.')
    const retries = readRetries(options.retries)
    const { signal } = context
    try {
      const client = openClient(context, { maxRetries: 0 })
      return await listen(context, client, { types, since, target, retries, isPrinting: options.print, saveTo: options.save })
    } catch (error) {
      if (signal.aborted) return 0
      throw toCommandError(error)
    }
  },
})

function readRetries(typed: string): number {
  if (/^\d$/.test(typed) && Number(typed) <= retriesMax) return Number(typed)
  throw new CommandError(2, `--retries takes a number from 0 to ${retriesMax}, not "${typed}".`)
}
