/** The same job on pg-boss. Runs in a child process. */
import type { PlainDelivery } from '../signed-post.ts'
import { answerAsSender } from './child-sender.ts'
import { importPeer } from './peers.ts'
import { settleDatabase } from './settle-database.ts'

/** The part of its API that is used. */
interface Module {
  PgBoss: new (options: { connectionString: string; max: number; schedule: boolean }) => Boss
}
interface Boss {
  on(event: 'error', listen: (error: Error) => void): void
  start(): Promise<unknown>
  createQueue(name: string, options: { retryLimit: number; retryDelay: number; retryBackoff: boolean }): Promise<void>
  insert(name: string, jobs: { data: PlainDelivery }[]): Promise<unknown>
  work(name: string, options: WorkOptions, handle: (jobs: Job[]) => Promise<JobResult[]>): Promise<string>
  offWork(name: string, options: { wait: boolean }): Promise<void>
  deleteAllJobs(name: string): Promise<void>
  stop(options: { graceful: boolean }): Promise<void>
}
interface WorkOptions {
  batchSize: number
  localConcurrency: number
  perJobResults: true
  burstWhenBatchFull: boolean
  pollingIntervalSeconds: number
}
interface Job {
  id: string
  data: PlainDelivery
}
interface JobResult {
  id: string
  status: 'completed' | 'failed'
  output?: object
}

export const pgBossFile = new URL(import.meta.url)
const queue = 'deliveries'
/** Workers in the process. Each fetches a batch, delivers it and then completes it in one statement. */
const batchingWorkers = 4

if (process.send && process.argv[1] === import.meta.filename) {
  answerAsSender(async ({ storeUrl, style, endpoints, connectionsEach }) => {
    const { PgBoss } = await importPeer<Module>('pg-boss')
    const boss = new PgBoss({ connectionString: storeUrl!, max: 10, schedule: false })
    boss.on('error', (error) => console.error(error))
    await boss.start()
    await boss.createQueue(queue, { retryLimit: 7, retryDelay: 30, retryBackoff: true })
    return {
      async add(deliveries) {
        await boss.insert(queue, deliveries.map((data) => ({ data })))
      },
      settle: () => settleDatabase(storeUrl!),
      async begin(post) {
        const deliver = async ({ id, data }: Job): Promise<JobResult> => {
          try {
            await post(data)
            return { id, status: 'completed' }
          } catch (error) {
            return { id, status: 'failed', output: { message: (error as Error).message } }
          }
        }
        const jobsAtOnce = endpoints.length * connectionsEach
        const localConcurrency = style === 'batched' ? batchingWorkers : jobsAtOnce
        const options: WorkOptions = {
          batchSize: jobsAtOnce / localConcurrency,
          localConcurrency,
          // A failed job must not cause the others to be repeated.
          perJobResults: true,
          // Otherwise it would wait for the polling interval between batches.
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
        }
        await boss.work(queue, options, (jobs) => Promise.all(jobs.map(deliver)))
      },
      async end() {
        await boss.offWork(queue, { wait: true })
        await boss.deleteAllJobs(queue)
      },
      close: () => boss.stop({ graceful: false }),
    }
  })
}
