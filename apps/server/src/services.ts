import { mkdir } from 'node:fs/promises'
import { type Engines, makeEngines } from './domain/databases/engines.ts'
import { type CursorCodec, makeCursorCodec } from './domain/pagination/cursor.ts'
import { type ListCursorCodec, makeListCursorCodec } from './domain/pagination/list-cursor.ts'
import { type LastUsedRecorder, makeLastUsedRecorder } from './domain/people/last-used.ts'
import { makeSignInThrottle, type SignInThrottle } from './domain/people/sign-in-throttle.ts'
import { makeRunEnds, type RunEnds } from './domain/runs/run-ends.ts'
import { makeSealer, type Sealer } from './domain/sealing.ts'
import type { AddressRules } from './domain/webhooks/addresses/policy.ts'
import { type LogCursorCodec, makeLogCursorCodec } from './domain/webhooks/deliveries/log-cursor.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Mail } from './ports/mail.ts'
import type { GuardedFetch } from './ports/network/guarded-fetch.ts'
import type { Network } from './ports/network/network.ts'
import type { Random } from './ports/random.ts'
import { openFileResults } from './results/file-results.ts'
import type { ResultStore } from './results/result-store.ts'
import type { Db, Store } from './store/db.ts'
import type { Wakeups } from './store/wakeups.ts'
import { makeMoments, type Moment } from './store/moments.ts'
import { type FindMember, makeFindMember } from './store/people/find-member.ts'
import { type FindQuery, makeFindQuery } from './store/queries/queries.ts'
import { type FindReference, makeFindReference } from './store/references/references.ts'

/** Everything that routes and workers are built from. Each asks its domain functions for the least of it. */
export interface Services {
  clock: Clock
  random: Random
  log: Log
  db: Db
  /** For those who work in the background. */
  backgroundDb: Db
  wakeups: Wakeups
  systemIdentifier: string
  cursors: CursorCodec
  moment: Moment
  findMember: FindMember
  findQuery: FindQuery
  findReference: FindReference
  engines: Engines
  results: ResultStore
  /** Waits for runs to end. */
  runEnds: RunEnds
  lastUsed: LastUsedRecorder
  throttle: SignInThrottle
  sealer: Sealer
  network: Network
  addressRules: AddressRules
  /** To models and data connectors. */
  agentFetch: GuardedFetch
  /** Null where the operator has set up no mail server. */
  mail: Mail | null
  logCursors: LogCursorCodec
  listCursors: ListCursorCodec
  baseUrl: string
  dataDirectory: string
  resultLifetimeMs: number
}

export async function makeServices(options: {
  clock: Clock
  random: Random
  log: Log
  network: Network
  agentFetch: GuardedFetch
  mail: Mail | null
  store: Store
  secretKey: Uint8Array
  baseUrl: string
  dataDirectory: string
  resultTtlHours: number
  webhookAllowedNetworks?: AddressRules['allowedNetworks']
}): Promise<Services> {
  const { clock, random, log, network, store, secretKey, dataDirectory } = options
  const { db, backgroundDb, wakeups, systemIdentifier } = store
  const moment = makeMoments(db)
  await mkdir(`${dataDirectory}/temporary`, { recursive: true })
  return {
    clock,
    random,
    log,
    db,
    backgroundDb,
    wakeups,
    systemIdentifier,
    cursors: makeCursorCodec({ secretKey }),
    moment,
    findMember: makeFindMember({ db, moment }),
    findQuery: makeFindQuery({ db, moment }),
    findReference: makeFindReference({ db, moment }),
    engines: makeEngines({ clock, log, dataDirectory }),
    results: await openFileResults({ folder: `${dataDirectory}/results`, clock }),
    runEnds: makeRunEnds({ db, clock, log, wakeups }),
    lastUsed: makeLastUsedRecorder({ db, clock, log }),
    throttle: makeSignInThrottle({ clock }),
    sealer: makeSealer({ secretKey, random }),
    network,
    agentFetch: options.agentFetch,
    mail: options.mail,
    addressRules: { ownUrl: new URL(options.baseUrl), allowedNetworks: options.webhookAllowedNetworks ?? [] },
    logCursors: makeLogCursorCodec({ secretKey }),
    listCursors: makeListCursorCodec({ secretKey, purpose: 'querypost list cursor v1' }),
    baseUrl: options.baseUrl,
    dataDirectory,
    resultLifetimeMs: options.resultTtlHours * 3600_000,
  }
}
