/** The ceiling: signs and posts in a loop on every connection, without a queue. Runs in a child process. */
import type { PlainDelivery } from '../signed-post.ts'
import { answerAsSender, makeDeliveries } from './child-sender.ts'

export const bareLoopFile = new URL(import.meta.url)

if (process.send && process.argv[1] === import.meta.filename) {
  answerAsSender(async ({ endpoints, connectionsEach }) => {
    // The bodies are prepared in advance, like those in a queue.
    const deliveries: PlainDelivery[] = makeDeliveries({ count: 10_000, endpointCount: endpoints.length })
    let isEnding = false
    let loops: Promise<void>[] = []
    return {
      async add() {},
      async settle() {},
      async begin(post) {
        isEnding = false
        let next = 0
        loops = Array.from({ length: endpoints.length * connectionsEach }, async () => {
          while (!isEnding) await post(deliveries[next++ % deliveries.length]!)
        })
      },
      async end() {
        isEnding = true
        await Promise.all(loops)
      },
      async close() {},
    }
  })
}
