import type { SampleEvent } from '@querypost/client'
import { Complaint, type Context, defineCommand } from '../command.ts'
import { eventTypes, readEventType } from '../event-type.ts'
import { asComplaint, openClient } from '../service-client.ts'

const countMax = 100

export const command = defineCommand({
  usage: '<type>',
  description:
    'Makes a sample event, which looks like a real one and says that it is a test, for all who `querypost listen` in\n' +
    `your organization. Types: ${eventTypes.join(', ')}.\n` +
    'It goes to an endpoint only if you name one, which admins may; its log shows a test.',
  examples: [
    { line: 'querypost trigger automation.run.completed', does: 'to everybody who listens' },
    { line: 'querypost trigger automation.run.failed --endpoint we_…', does: 'to an endpoint as well' },
    { line: 'querypost trigger automation.run.completed --count 20', does: 'many at once' },
  ],
  options: {
    endpoint: { type: 'string', value: 'id', does: 'an endpoint that gets it too' },
    count: { type: 'string', value: 'n', default: '1', does: `how many, up to ${countMax} (1)` },
  },
  async run(context, { operands, options }) {
    const [typed, ...rest] = operands
    if (typed === undefined || rest.length > 0) throw new Complaint(2, `Say which: ${eventTypes.join(' or ')}.`)
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
        if (!context.isJson) tell(context, event)
      }
    } catch (error) {
      if (signal.aborted) return 1
      throw asComplaint(error)
    }
    if (context.isJson) context.stdout.write(`${JSON.stringify({ events })}\n`)
    if (events.at(-1)!.listenerCount === 0 && endpointId === undefined) {
      const listen = 'querypost listen --forward http://localhost:4000/hook'
      context.stderr.write(`Nobody listens, so nobody got it. In another terminal: ${listen}\n`)
    }
    return 0
  },
})

function tell({ stdout, paint }: Context, { type, id, listenerCount, deliveryId }: SampleEvent) {
  const listeners = `${listenerCount} ${listenerCount === 1 ? 'listener' : 'listeners'}`
  const delivery = deliveryId === null ? '' : `, and to the endpoint by ${deliveryId}`
  stdout.write(`${paint.stdout.bold(type)}  ${id}  ${paint.stdout.dim(`to ${listeners}${delivery}`)}\n`)
}

function readCount(typed: string): number {
  const count = /^\d{1,3}$/.test(typed) ? Number(typed) : 0
  if (count >= 1 && count <= countMax) return count
  throw new Complaint(2, `--count takes a number from 1 to ${countMax}, not "${typed}".`)
}
