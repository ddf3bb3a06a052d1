import { newId } from '@querypost/server/background-work'
import { secureRandom as random } from '@querypost/server/ports'
import { answerRequests, startChild } from '../../load/child.ts'
import { eventBody } from '../events.ts'
import { makeSignedPost, type PlainDelivery, type SignedPost } from '../signed-post.ts'
import type { Sender, SenderOptions, SenderRequest } from './sender.ts'

/** Starts a sender in a child process. */
export async function startSender(
  file: URL,
  options: SenderOptions & { store?: { pid: number; isFamily: boolean } },
): Promise<Sender> {
  const { store, ...opening } = options
  const child = startChild<SenderRequest, true>(file)
  await child.ask({ act: 'open', ...opening })
  return {
    pids: { sender: child.pid, ...(store && { store }) },
    load: async (count) => void (await child.ask({ act: 'load', count })),
    begin: async () => void (await child.ask({ act: 'begin' })),
    end: async () => void (await child.ask({ act: 'end' })),
    async stop() {
      await child.ask({ act: 'stop' })
      child.stop()
    },
  }
}

/** The implementation of a sender in its process. */
export interface Queue {
  add(deliveries: PlainDelivery[]): Promise<void>
  /** Called after the last delivery was added. */
  settle(): Promise<void>
  begin(post: SignedPost): Promise<void>
  /** Resolves when nothing is in progress and the queue is empty. */
  end(): Promise<void>
  close(): Promise<void>
}

/** A batch size that all bulk functions of the peers accept. */
const addAtOnce = 1000

export function answerAsSender(open: (options: SenderOptions) => Promise<Queue>): void {
  let queue: Queue
  let post: SignedPost
  let endpointCount = 0
  answerRequests(async (request: SenderRequest) => {
    switch (request.act) {
      case 'open':
        endpointCount = request.endpoints.length
        post = makeSignedPost(request)
        queue = await open(request)
        break
      case 'load':
        for (let from = 0; from < request.count; from += addAtOnce) {
          await queue.add(makeDeliveries({ count: Math.min(addAtOnce, request.count - from), endpointCount }))
        }
        await queue.settle()
        break
      case 'begin':
        await queue.begin(post)
        break
      case 'end':
        await queue.end()
        break
      case 'stop':
        await queue.close()
    }
    return true
  })
}

export function makeDeliveries(options: { count: number; endpointCount: number }): PlainDelivery[] {
  return Array.from({ length: options.count }, (_, index) => {
    const eventId = newId(random, 'evt')
    return { endpoint: index % options.endpointCount, eventId, body: eventBody(eventId) }
  })
}
