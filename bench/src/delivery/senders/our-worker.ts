import { addBacklog, clearDeliveries, letDeliver } from '../backlog.ts'
import type { BenchEndpoint } from '../endpoints.ts'
import type { World } from '../world.ts'
import type { Sender } from './sender.ts'

/** Ours: the service itself with ROLE=worker. */
export async function startOurWorker(world: World, endpoints: BenchEndpoint[]): Promise<Sender> {
  const { sql } = world
  await letDeliver(sql, endpoints, false)
  const worker = await world.startProcess('worker')
  return {
    pids: { sender: worker.pid, store: { pid: world.postgres.pid, isFamily: true } },
    load: (count) => addBacklog(sql, { endpoints, count }),
    begin: () => letDeliver(sql, endpoints, true),
    async end() {
      await letDeliver(sql, endpoints, false)
      await clearDeliveries(sql)
    },
    stop: worker.stop,
  }
}
