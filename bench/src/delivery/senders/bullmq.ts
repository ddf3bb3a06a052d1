/** The same job on BullMQ. Runs in a child process. */
import type { PlainDelivery } from '../signed-post.ts'
import { answerAsSender } from './child-sender.ts'
import { importPeer } from './peers.ts'

/** The part of its API that is used. */
interface Module {
  Queue: new (name: string, options: { connection: Connection }) => {
    addBulk(jobs: { name: string; data: PlainDelivery; opts: JobOptions }[]): Promise<unknown>
    obliterate(options: { force: boolean }): Promise<void>
    close(): Promise<void>
  }
  Worker: new (
    name: string,
    process: (job: { data: PlainDelivery }) => Promise<void>,
    options: { connection: Connection & { maxRetriesPerRequest: null }; concurrency: number },
  ) => { on(event: 'error', listen: (error: Error) => void): void; close(): Promise<void> }
}
interface Connection {
  host: string
  port: number
}
interface JobOptions {
  attempts: number
  backoff: { type: 'exponential'; delay: number }
  removeOnComplete: boolean
}

export const bullmqFile = new URL(import.meta.url)
const queueName = 'deliveries'

if (process.send && process.argv[1] === import.meta.filename) {
  answerAsSender(async ({ storeUrl, endpoints, connectionsEach }) => {
    const { Queue, Worker } = await importPeer<Module>('bullmq')
    const { hostname: host, port } = new URL(storeUrl!)
    const connection = { host, port: Number(port) }
    const queue = new Queue(queueName, { connection })
    let worker: { close(): Promise<void> } | undefined
    const opts: JobOptions = { attempts: 8, backoff: { type: 'exponential', delay: 30_000 }, removeOnComplete: true }
    return {
      async add(deliveries) {
        await queue.addBulk(deliveries.map((data) => ({ name: 'deliver', data, opts })))
      },
      async settle() {},
      async begin(post) {
        const next = new Worker(queueName, (job) => post(job.data), {
          connection: { ...connection, maxRetriesPerRequest: null },
          concurrency: endpoints.length * connectionsEach,
        })
        next.on('error', (error) => console.error(error))
        worker = next
      },
      async end() {
        await worker?.close()
        await queue.obliterate({ force: true })
      },
      close: () => queue.close(),
    }
  })
}
