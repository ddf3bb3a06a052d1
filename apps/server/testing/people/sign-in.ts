import type { Clock } from '../../src/ports/clock.ts'
import type { Random } from '../../src/ports/random.ts'
import type { Store } from '../../src/store/db.ts'
import { cheapCost } from '../cheap-hash.ts'
import { silentLog } from '../silent-log.ts'
import { makePendingJobs } from '../../src/domain/people/pending-jobs.ts'
import { makeKnownDevices } from '../../src/domain/people/known-devices.ts'
import { makeSealer } from '../../src/domain/sealing.ts'
import type { KeptSignIn } from '../../src/domain/people/pending-sign-in.ts'
import { type OpenedSession, signIn, type SignInDeps } from '../../src/domain/people/sessions.ts'
import { makeSignInThrottle } from '../../src/domain/people/sign-in-throttle.ts'

/** The dependencies of `signIn` for tests, as in one process on this store. */
export function testSignInDeps(store: Store, { clock, random }: { clock: Clock; random: Random }): SignInDeps {
  const { db } = store
  const knownDevices = makeKnownDevices({ secretKey: Buffer.alloc(32, 7), clock, random })
  const pendingJobs = makePendingJobs({ log: silentLog })
  const sealer = makeSealer({ secretKey: Buffer.alloc(32, 7), random })
  return { db, clock, random, passwordCost: cheapCost, sealer, oidc: null, throttle: makeSignInThrottle({ db, clock }), knownDevices, pendingJobs }
}

/** For people without a second factor. */
export async function signInAtOnce(...args: Parameters<typeof signIn>): Promise<OpenedSession> {
  return opened(await signIn(...args))
}

export function opened(started: OpenedSession | KeptSignIn): OpenedSession {
  if ('step' in started) throw new Error(`The sign-in lacks a step: ${started.step}`)
  return started
}
