import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../store/db.ts'
import { keepDoing } from '../work/repeat.ts'
import { openOperatorDoor } from './operator-door.ts'
import { stageBackup } from './stage.ts'

/** As PostgreSQL's own `checkpoint_timeout`: after a kill, the log of no more than this is read again. */
const checkpointEveryMs = 5 * 60_000

/** What a service on the embedded store does beside its work: keeps the store's log short, and answers its operator. */
export async function keepEmbedded(options: {
  dataDirectory: string
  store: Store
  secretKey: Uint8Array
  isSecretKeyGiven: boolean
  clock: Clock
  log: Log
}): Promise<{ stop(): Promise<void> }> {
  const { store, clock, log } = options
  const checkpoints = keepDoing({
    what: 'write a checkpoint of the embedded store',
    everyMs: checkpointEveryMs,
    clock,
    log,
    act: () => store.embeddedFolder!.checkpoint(),
  })
  const stage = (signal: AbortSignal) => stageBackup({ ...options, signal })
  const door = await openOperatorDoor({ ...options, stage }).catch((error: unknown) => {
    // Everything else works without it.
    log.warn({ err: error }, 'no socket could be opened for `querypost backup`, which needs the service stopped then')
  })
  checkpoints.start()
  return {
    async stop() {
      await door?.close()
      await checkpoints.stop()
    },
  }
}
