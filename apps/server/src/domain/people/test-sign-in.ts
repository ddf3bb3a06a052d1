import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Store } from '../../store/db.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { makeErrands } from './errands.ts'
import { makeKnownDevices } from './known-devices.ts'
import type { SignInDeps } from './sessions.ts'
import { makeSignInThrottle } from './sign-in-throttle.ts'

/** What `signIn` needs, for tests: as one process on this store has it. */
export function testSignInDeps(store: Store, { clock, random }: { clock: Clock; random: Random }): SignInDeps {
  const { db } = store
  const knownDevices = makeKnownDevices({ secretKey: Buffer.alloc(32, 7), clock, random })
  const errands = makeErrands({ log: silentLog })
  return { db, clock, random, throttle: makeSignInThrottle({ db, clock }), knownDevices, errands }
}
