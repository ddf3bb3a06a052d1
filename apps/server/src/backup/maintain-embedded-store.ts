import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../store/db.ts'
import { repeatTask } from '../work/repeat.ts'
import { openControlSocket } from './control-socket.ts'
import { stageBackup } from './stage.ts'

/** Same as PostgreSQL's default `checkpoint_timeout`: after a kill, at most this much of the write-ahead log is replayed. */
const checkpointEveryMs = 5 * 60_000

/** Writes checkpoints, which keep the store's write-ahead log short, and opens the control socket for backups. */
export async function maintainEmbeddedStore(options: {
  dataDirectory: string
  store: Store
  secretKey: Uint8Array
  isSecretKeyGiven: boolean
  clock: Clock
  log: Log
}): Promise<{ stop(): Promise<void> }> {
  const { store, clock, log } = options
  const checkpoints = repeatTask({
    what: 'write a checkpoint of the embedded store',
    everyMs: checkpointEveryMs,
    clock,
    log,
    act: () => store.embeddedFolder!.checkpoint(),
  })
  const stage = (signal: AbortSignal) => stageBackup({ ...options, signal })
  const socket = await openControlSocket({ ...options, stage }).catch((error: unknown) => {
    // Everything else works without the socket.
    log.warn({ err: error }, 'control socket unavailable; `querypost backup` needs the service stopped')
  })
  checkpoints.start()
  return {
    async stop() {
      await socket?.close()
      await checkpoints.stop()
    },
  }
}
