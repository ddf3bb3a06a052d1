/** The same job on graphile-worker. Runs in a child process. */
import type { PlainDelivery } from '../signed-post.ts'
import { answerAsSender } from './child-sender.ts'
import { importPeer } from './peers.ts'
import { settleDatabase } from './settle-database.ts'

/** The part of its API that is used. */
interface Module {
  makeWorkerUtils(options: { connectionString: string }): Promise<WorkerUtils>
  run(options: RunOptions): Promise<{ stop(): Promise<void> }>
  Logger: new (makeWriter: () => (level: string, message: string) => void) => object
}
interface WorkerUtils {
  migrate(): Promise<void>
  addJobs(jobs: { identifier: string; payload: PlainDelivery; maxAttempts: number }[]): Promise<unknown>
  withPgClient(act: (client: Client) => Promise<void>): Promise<void>
  release(): Promise<void>
}
interface Client {
  query(text: string): Promise<{ rows: { count: number }[] }>
}
interface RunOptions {
  preset: { worker: WorkerOptions }
  noHandleSignals: boolean
  taskList: Record<string, (payload: PlainDelivery) => Promise<void>>
}

interface WorkerOptions {
  connectionString: string
  concurrentJobs: number
  maxPoolSize: number
  localQueue?: { size: number }
  completeJobBatchDelay?: number
  failJobBatchDelay?: number
  logger: object
}

export const graphileWorkerFile = new URL(import.meta.url)

async function isAnyLeft(client: Client): Promise<boolean> {
  const { rows } = await client.query('select count(*)::integer as count from graphile_worker._private_jobs')
  return rows[0]!.count > 0
}

if (process.send && process.argv[1] === import.meta.filename) {
  answerAsSender(async ({ storeUrl, style, endpoints, connectionsEach }) => {
    const { makeWorkerUtils, run, Logger } = await importPeer<Module>('graphile-worker')
    const utils = await makeWorkerUtils({ connectionString: storeUrl! })
    await utils.migrate()
    const logger = new Logger(() => (level, message) => {
      if (level === 'error') console.error(`graphile-worker: ${message}`)
    })
    const options: WorkerOptions = {
      connectionString: storeUrl!,
      concurrentJobs: endpoints.length * connectionsEach,
      maxPoolSize: 25,
      // As recommended on its performance page, with the sizes of its own measurements.
      ...(style === 'batched' && { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }),
      logger,
    }
    let runner: { stop(): Promise<void> } | undefined
    return {
      async add(deliveries) {
        await utils.addJobs(deliveries.map((payload) => ({ identifier: 'deliver', payload, maxAttempts: 8 })))
      },
      settle: () => settleDatabase(storeUrl!),
      async begin(post) {
        runner = await run({ preset: { worker: options }, noHandleSignals: true, taskList: { deliver: post } })
      },
      async end() {
        // It can't return jobs when stopped with a full local queue, so it is stopped when the queue is empty.
        await utils.withPgClient(async (client) => {
          await client.query('delete from graphile_worker._private_jobs where locked_at is null')
          while (await isAnyLeft(client)) await new Promise((resolve) => setTimeout(resolve, 20))
        })
        await runner?.stop()
      },
      close: () => utils.release(),
    }
  })
}
