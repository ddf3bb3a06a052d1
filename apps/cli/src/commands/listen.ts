import { Complaint, defineCommand } from '../command.ts'
import { eventTypes, readEventType } from '../event-type.ts'
import { retriesMax } from '../listen/forward.ts'
import { listen } from '../listen/listen.ts'
import { readSince } from '../listen/since.ts'
import { readTarget } from '../listen/target.ts'
import { asComplaint, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '[--forward <url>]',
  description:
    'Shows your organization’s events as they come, and forwards each to a receiver on your machine, signed as the\n' +
    'real thing: no public address and no tunnel, since the connection goes out from here. Endpoints get their\n' +
    'deliveries as ever.\n' +
    '\n' +
    'The secret that verifies them is yours and stays the same; it is printed at the start. A forward is what a\n' +
    'delivery is: the same headers and body, 10 seconds, any 2xx is a success, redirects are not followed. One attempt\n' +
    'is made (--retries for more), where a real endpoint is tried eight times over 36 hours. When the connection is\n' +
    'lost it is made again, and what happened meanwhile is told.',
  examples: [
    { line: 'querypost listen --forward http://localhost:4000/hook', does: 'try a receiver' },
    { line: 'querypost listen --type automation.run.failed --print', does: 'read what failures say' },
    { line: 'querypost listen --since 10m --forward localhost:4000/hook', does: 'what came in the last ten minutes' },
    { line: "querypost listen --json | jq -r 'select(.body).body'", does: 'the bodies alone' },
  ],
  options: {
    forward: { type: 'string', short: 'f', value: 'url', does: 'POST events there: https, or http on this machine' },
    type: { type: 'string', multiple: true, value: 'type', does: `only these: ${eventTypes.join(', ')}` },
    since: { type: 'string', value: 'time', does: 'begin with what was since 10m, 2h, 1d ago, or since a time' },
    header: { type: 'string', multiple: true, short: 'H', value: 'name: value', does: 'send this header too; repeatable' },
    retries: { type: 'string', value: 'n', default: '0', does: `try a failed forward again, up to ${retriesMax} times` },
    print: { type: 'boolean', short: 'p', default: false, does: 'show the bodies too' },
    save: { type: 'string', value: 'file', does: 'write the latest request to this file, for `querypost verify --request`' },
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new Complaint(2, `Say where to forward with --forward: --forward ${operands[0]}`)
    const types = options.type?.flatMap((typed) => typed.split(',')).map(readEventType)
    const since = options.since === undefined ? undefined : readSince(options.since, context.clock.now())
    const target = options.forward === undefined ? null : readTarget(options.forward, options.header ?? [])
    if (!target && options.header) throw new Complaint(2, 'Headers are for --forward, which is not there.')
    const retries = readRetries(options.retries)
    const { signal } = context
    try {
      const client = openClient(context, { maxRetries: 0 })
      return await listen(context, client, { types, since, target, retries, isPrinting: options.print, saveTo: options.save })
    } catch (error) {
      if (signal.aborted) return 0
      throw asComplaint(error)
    }
  },
})

function readRetries(typed: string): number {
  if (/^\d$/.test(typed) && Number(typed) <= retriesMax) return Number(typed)
  throw new Complaint(2, `--retries takes a number from 0 to ${retriesMax}, not "${typed}".`)
}
