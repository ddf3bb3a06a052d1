/** The ceiling: sign, post, again, on every connection, without a queue. A process of its own. */
import type { PlainDelivery } from '../signed-post.ts'
import { answerAsSender, makeDeliveries } from './child-sender.ts'

export const bareLoopFile = new URL(import.meta.url)

if (process.send && process.argv[1] === import.meta.filename) {
  answerAsSender(async ({ endpoints, connectionsEach }) => {
    // The bodies are made beforehand, as those in a queue are.
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
