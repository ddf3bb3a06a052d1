import { addBacklog, clearDeliveries, switchWebhooks } from '../backlog.ts'
import type { BenchEndpoint } from '../endpoints.ts'
import type { World } from '../world.ts'
import type { Sender } from './sender.ts'

/** Querypost: the service with ROLE=worker. With `keyCount`, deliveries are in order by so many keys of each endpoint. */
export async function startOurWorker(world: World, endpoints: BenchEndpoint[], order: { keyCount?: number } = {}): Promise<Sender> {
  const { sql } = world
  await switchWebhooks(sql, endpoints, false)
  const worker = await world.startProcess('worker')
  return {
    pids: { sender: worker.pid, store: { pid: world.postgres.pid, isFamily: true } },
    load: (count) => addBacklog(sql, { endpoints, count, ...order }),
    begin: () => switchWebhooks(sql, endpoints, true),
    async end() {
      await switchWebhooks(sql, endpoints, false)
      await clearDeliveries(sql)
    },
    stop: worker.stop,
  }
}
