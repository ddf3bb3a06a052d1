import type { SampleEvent } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { eventTypes, readEventType } from '../event-type.ts'
import { toCommandError, openClient } from '../service-client.ts'

const countMax = 100

export const command = defineCommand({
  usage: '<type>',
  description:
    'Sends a sample event to everyone in your organization who runs `querypost listen`. It looks like a real event and is\n' +
    `marked as a test. Types: ${eventTypes.join(', ')}.\n\n` +
    'With --endpoint, which needs an admin’s key, it also goes to that endpoint, whose log shows it as a test.',
  examples: [
    { line: 'querypost trigger automation.run.completed', description: 'send a sample to all listeners' },
    { line: 'querypost trigger automation.run.failed --endpoint we_…', description: 'also send it to an endpoint' },
    { line: 'querypost trigger automation.run.completed --count 20', description: 'send 20 samples' },
  ],
  options: {
    endpoint: { type: 'string', value: 'id', description: 'also send it to this endpoint' },
    count: { type: 'string', value: 'n', default: '1', description: `how many, up to ${countMax} (default: 1)` },
  },
  async run(context, { operands, options }) {
    const [typed, ...rest] = operands
    if (typed === undefined || rest.length > 0) throw new CommandError(2, `Name one event type: ${eventTypes.join(' or ')}.`)
    const type = readEventType(typed)
    const count = readCount(options.count)
    const client = openClient(context, { maxRetries: 0 })
    const { signal } = context
    const { endpoint: endpointId } = options
    const sample = { type, ...(endpointId !== undefined && { endpointId }) }
    const events: SampleEvent[] = []
    try {
      while (events.length < count) {
        const event = await client.events.createSample(sample, { signal })
        events.push(event)
        if (!context.isJson) printSample(context, event)
      }
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
    if (context.isJson) context.stdout.write(`${JSON.stringify({ events })}\n`)
    if (events.at(-1)!.listenerCount === 0 && endpointId === undefined) {
      const listen = 'querypost listen --forward http://localhost:4000/hook'
      context.stderr.write(`Nobody is listening, so nobody received it. In another terminal, run: ${listen}\n`)
    }
    return 0
  },
})

function printSample({ stdout, paint }: Context, { type, id, listenerCount, deliveryId }: SampleEvent) {
  const listeners = `${listenerCount} ${listenerCount === 1 ? 'listener' : 'listeners'}`
  const delivery = deliveryId === null ? '' : `, and to the endpoint as ${deliveryId}`
  stdout.write(`${paint.stdout.bold(type)}  ${id}  ${paint.stdout.dim(`to ${listeners}${delivery}`)}\n`)
}

function readCount(typed: string): number {
  const count = /^\d{1,3}$/.test(typed) ? Number(typed) : 0
  if (count >= 1 && count <= countMax) return count
  throw new CommandError(2, `--count takes a number from 1 to ${countMax}, not "${typed}".`)
}
