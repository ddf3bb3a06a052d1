import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { recordKeyUse } from '../../store/people/record-key-use.ts'
import { recordSessionUse } from '../../store/people/record-session-use.ts'
import { makeUseRecorder, type UseRecorder } from '../../work/use-recorder.ts'

interface Deps {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Records when API keys were last used, by their ids. */
export type LastUsedRecorder = UseRecorder

export function makeLastUsedRecorder(deps: Deps): LastUsedRecorder {
  return makeUseRecorder({
    ...deps,
    what: 'when API keys were last used',
    write: ({ ids, usedAt }) => recordKeyUse(deps.db, { keyIds: ids, usedAt }),
  })
}

/** Records when sessions were last seen, by the hex hashes of their tokens. */
export function makeLastSeenRecorder(deps: Deps): UseRecorder {
  return makeUseRecorder({
    ...deps,
    what: 'when sessions were last seen',
    write: ({ ids, usedAt }) => recordSessionUse(deps.db, { tokenHashes: ids, usedAt }),
  })
}
