import type { DeliveryLimits } from '@querypost/server/background-work'
import type { Chance } from '../chance.ts'
import type { FaultRates } from './fault-rates.ts'
import { nameKinds, type NameKind, publicAddresses } from './names.ts'
import { type ReceiverKind, receiverKinds } from './receivers.ts'
import type { Timeline } from './timeline.ts'

/**
 * The world of a seed: its organizations and endpoints, what is published when, what people do, how receivers and names behave over time,
 * and the rates of faults. A run has two phases: one with faults, and one without, in which all work must end.
 */
export interface Plan {
  workerCount: number
  limits: DeliveryLimits
  organizationIds: string[]
  endpoints: EndpointPlan[]
  publications: Publication[]
  deeds: Deed[]
  rates: FaultRates
  troubleEndsMs: number
}

export interface EndpointPlan {
  id: string
  organizationId: string
  hostname: string
  url: string
  creator: string
  receiver: Timeline<ReceiverKind>
  name: Timeline<NameKind>
  /** Its receiver and name never fail, so other endpoints must not affect it. */
  isHealthy: boolean
  /** It receives the events of a key in order. */
  isOrdered: boolean
}

export interface Publication {
  atMs: number
  organizationId: string
  /** How long the transaction stays open. */
  openMs: number
  isRolledBack: boolean
  textLength: number
}

export const deedKinds = [
  'disable',
  'enable',
  'enable and send held',
  'delete',
  'change secret',
  'switch off',
  'switch on',
  'send test',
  'restart a worker',
] as const
export type DeedKind = (typeof deedKinds)[number]

export interface Deed {
  atMs: number
  kind: DeedKind
  endpointIndex: number
}

/** Smaller limits, so that a small world reaches them. */
const tightLimits: DeliveryLimits[] = [
  { inFlightMax: 40, claimMax: 16 },
  { inFlightMax: 24, claimMax: 5 },
]
const second = 1000
const minute = 60 * second
const hour = 60 * minute

export function makePlan(chance: Chance, options: { isSmall: boolean }): Plan {
  const organizationIds = ['org_a', 'org_b']
  const troubleEndsMs = chance.pick([5 * minute, hour, 6 * hour, 40 * hour])
  // Long enough for an event to exhaust its attempts, both before and after a receiver's recovery.
  const changesUntilMs = chance.isTrue(0.5) ? Math.max(troubleEndsMs, 45 * hour) : troubleEndsMs
  const hasBacklog = !options.isSmall && chance.isTrue(0.08)
  const endpointCount = options.isSmall ? chance.between(2, 4) : chance.between(2, 8)
  const endpoints = Array.from({ length: endpointCount }, (_, index) =>
    makeEndpoint(chance, {
      index,
      // Only one endpoint has a backlog. The others must not be affected.
      organizationId: hasBacklog ? organizationIds[index === 0 ? 0 : 1]! : chance.pick(organizationIds),
      changesUntilMs,
      isHanging: hasBacklog && index === 0,
    }),
  )
  const publications = makePublications(chance, { ...options, hasBacklog, organizationIds, changesUntilMs })
  return {
    workerCount: chance.between(1, 3),
    limits: chance.pick(hasBacklog ? tightLimits : [{ inFlightMax: 1024, claimMax: 256, reserved: 128 }, ...tightLimits]),
    organizationIds,
    endpoints,
    publications,
    deeds: makeDeeds(chance, { endpointCount, untilMs: changesUntilMs, publications }),
    rates: makeRates(chance),
    troubleEndsMs,
  }
}

export function makeEndpoint(
  chance: Chance,
  options: { index: number; organizationId: string; changesUntilMs: number; isHanging: boolean },
): EndpointPlan {
  const { index, organizationId, changesUntilMs } = options
  const id = `we_${String.fromCharCode(97 + index)}`
  const isHealthy = !options.isHanging && chance.isTrue(0.35)
  const isLiteral = !options.isHanging && !isHealthy && chance.isTrue(0.15)
  const hostname = isLiteral ? publicAddresses[index]! : `${id.replace('_', '-')}.hooks.example`
  const isAlwaysBad = chance.isTrue(0.4)
  const badKinds = receiverKinds.filter((kind) => kind !== 'healthy')
  const receiver: Timeline<ReceiverKind> = isHealthy
    ? [{ fromMs: 0, kind: 'healthy' }]
    : isAlwaysBad
      ? [{ fromMs: 0, kind: chance.pick(badKinds) }]
      : makeTimeline(chance, { kinds: receiverKinds, preferred: 'healthy', untilMs: changesUntilMs })
  return {
    id,
    organizationId,
    hostname,
    url: `https://${hostname.includes(':') ? `[${hostname}]` : hostname}/hook`,
    creator: `user_${chance.pick(['x', 'y', 'z'])}`,
    receiver: options.isHanging ? [{ fromMs: 0, kind: 'hangs' }] : receiver,
    name:
      isHealthy || options.isHanging || chance.isTrue(0.4)
        ? [{ fromMs: 0, kind: 'public' }]
        : makeTimeline(chance, { kinds: nameKinds, preferred: 'public', untilMs: changesUntilMs }),
    isHealthy,
    isOrdered: index === 1,
  }
}

function makeTimeline<Kind>(
  chance: Chance,
  options: { kinds: readonly Kind[]; preferred: Kind; untilMs: number },
): Timeline<Kind> {
  const times = Array.from({ length: chance.between(1, 6) }, () => Math.floor(chance.next() * options.untilMs))
  const kind = () => (chance.isTrue(0.3) ? options.preferred : chance.pick(options.kinds))
  return [0, ...times.sort((a, b) => a - b)].map((fromMs) => ({ fromMs, kind: kind() }))
}

function makePublications(
  chance: Chance,
  options: { isSmall: boolean; hasBacklog: boolean; organizationIds: string[]; changesUntilMs: number },
): Publication[] {
  const publications: Publication[] = []
  const add = (atMs: number, organizationId = chance.pick(options.organizationIds)) =>
    publications.push({
      atMs,
      organizationId,
      openMs: chance.pick([0, 1, 20, 2 * second]),
      isRolledBack: chance.isTrue(0.1),
      textLength: chance.isTrue(0.01) ? 20_000 : chance.between(0, 60),
    })
  const burstCount = chance.between(1, options.isSmall ? 2 : 4)
  for (let burst = 0; burst < burstCount; burst++) {
    const atMs = burst === 0 ? 0 : Math.floor(chance.next() * options.changesUntilMs)
    const spreadMs = chance.pick([0, second, minute, 20 * minute])
    const size = chance.between(1, options.isSmall ? 4 : 8)
    for (let index = 0; index < size; index++) add(atMs + Math.floor(chance.next() * spreadMs))
  }
  if (options.hasBacklog) {
    for (let index = 0; index < 60; index++) add(chance.between(0, 10 * second), options.organizationIds[0])
    for (let index = 0; index < 20; index++) add(chance.between(20 * second, 3 * minute), options.organizationIds[1])
  }
  return publications
}

function makeDeeds(chance: Chance, options: { endpointCount: number; untilMs: number; publications: Publication[] }): Deed[] {
  const deeds: Deed[] = []
  const count = chance.pick([0, 2, 6, 15])
  for (let index = 0; index < count; index++) {
    // Half of the actions happen while work is in progress.
    const isInTheMidst = chance.isTrue(0.5)
    const deed = {
      atMs: isInTheMidst
        ? chance.pick(options.publications).atMs + chance.between(0, 40 * second)
        : Math.floor(chance.next() * options.untilMs),
      kind: chance.pick(deedKinds),
      endpointIndex: chance.between(0, options.endpointCount - 1),
    }
    deeds.push(deed)
    // Usually switched on again later.
    const opposite = { disable: 'enable and send held', 'switch off': 'switch on' } as const
    if ((deed.kind === 'disable' || deed.kind === 'switch off') && chance.isTrue(0.7)) {
      deeds.push({ ...deed, kind: opposite[deed.kind], atMs: deed.atMs + chance.between(second, hour) })
    }
  }
  return deeds
}

export function makeRates(chance: Chance): FaultRates {
  const isQuiet = chance.isTrue(0.15)
  const rate = (most: number) => (!isQuiet && chance.isTrue(0.5) ? most * 10 ** -chance.between(0, 2) : 0)
  return {
    crash: rate(0.03),
    stall: rate(0.01),
    suspension: rate(0.005),
    wallJump: rate(0.005),
    storeError: rate(0.1),
    storeOutage: rate(0.005),
    slowStore: rate(0.02),
    lostWakeup: rate(1),
    partialRecord: rate(0.1),
    partition: rate(0.003),
    resultError: rate(0.2),
  }
}
