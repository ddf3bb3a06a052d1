import { type DeliveryStore, judgeExhausted, newId } from '@querypost/server/background-work'
import type { AttemptRecord, ClaimedDelivery, ClaimOptions } from '@querypost/server/model'
import type { Random } from '@querypost/server/ports'
import { type MemoryDelivery, type MemoryEndpoint, type MemoryRows, unleased } from './memory-rows.ts'

/** Rules of the store that broken engines change. */
export interface MemoryRules {
  /** Whether it is unleased. */
  isFree(delivery: MemoryDelivery, now: Date): boolean
  /** Whether it is free because its worker is gone. */
  isOrphaned(delivery: MemoryDelivery, goneWorkers: readonly string[]): boolean
  /** Whether a record belongs to the current attempt. */
  isUnderItsLease(delivery: MemoryDelivery, record: AttemptRecord): boolean
  choose(rows: MemoryRows, options: ClaimOptions, rules: MemoryRules): { chosen: MemoryDelivery[]; nextAfterLane: string }
  judgeExhausted: typeof judgeExhausted
  /** Whether an attempt counts against its endpoint. */
  isCountedAsFailure(record: AttemptRecord): boolean
  isCountResetBySuccess: boolean
  /** How often each notification is sent. */
  noticeCount: number
  hold(rows: MemoryRows, delivery: MemoryDelivery): void
  /** Whether it waits for an earlier one of its key. */
  isBlocked(rows: MemoryRows, delivery: MemoryDelivery): boolean
}

export const soundRules: MemoryRules = {
  isFree: ({ leaseExpiresAt }, now) => leaseExpiresAt === null || leaseExpiresAt <= now,
  isOrphaned: ({ leaseOwner, orderKey }, goneWorkers) => leaseOwner !== null && orderKey === null && goneWorkers.includes(leaseOwner),
  isUnderItsLease: (delivery, { leaseNumber, attempt }) =>
    delivery.leaseNumber === leaseNumber && delivery.attemptCount === attempt.number - 1,
  choose: chooseByLanes,
  judgeExhausted,
  isCountedAsFailure: ({ decision }) => decision.state === 'exhausted',
  isCountResetBySuccess: true,
  noticeCount: 1,
  hold: (rows, delivery) => rows.write(delivery, { state: 'held', nextAttemptAt: null, ...unleased }),
  isBlocked: (rows, delivery) => earlierOf(rows, delivery).length > 0,
}

/** The delivery store in memory: loops in place of the SQL store's statements. */
export function makeMemoryStore(options: { rows: MemoryRows; rules: MemoryRules; random: Random }): DeliveryStore {
  const { rows, rules } = options

  function claimed(delivery: MemoryDelivery): ClaimedDelivery {
    const { id, leaseNumber, attemptCount, eventId, body, endpointId, orderKey } = delivery
    const { organizationId, url, secret } = rows.endpoints.get(endpointId)!
    const attemptNumber = attemptCount + 1
    return { id, leaseNumber, attemptNumber, eventId, body, endpointId, organizationId, url, secret, orderKey }
  }

  function recordOne(record: AttemptRecord): boolean {
    const delivery = rows.deliveries.get(record.deliveryId)
    if (!delivery || !rules.isUnderItsLease(delivery, record)) return false
    const endpoint = rows.endpoints.get(delivery.endpointId)!
    const { decision, attempt } = record
    const isHeld = decision.state === 'pending' && endpoint.state === 'disabled' && !delivery.isTest
    rows.write(delivery, {
      state: isHeld ? 'held' : decision.state,
      attemptCount: attempt.number,
      attempts: [...delivery.attempts, attempt],
      nextAttemptAt:
        decision.state === 'pending' && !isHeld
          ? new Date(rows.now.getTime() - Math.round(record.endedAgoMs) + decision.waitMs)
          : null,
      ...unleased,
    })
    if (decision.state === 'delivered' && rules.isCountResetBySuccess) endpoint.consecutiveFailures = 0
    if (rules.isCountedAsFailure(record) && !endpoint.isDeleted) judge(endpoint)
    return true
  }

  function judge(endpoint: MemoryEndpoint) {
    const { consecutiveFailures, isDisabledNow, notice } = rules.judgeExhausted(endpoint)
    endpoint.consecutiveFailures = consecutiveFailures
    if (isDisabledNow) disable(rows, endpoint, rules)
    for (let times = 0; notice && times < rules.noticeCount; times++) {
      const { id: endpointId, createdBy: userId } = endpoint
      rows.notify({ id: newId(options.random, 'ntf'), kind: notice, userId, endpointId })
    }
  }

  return {
    async claim(claim) {
      const { chosen, nextAfterLane } = rules.choose(rows, claim, rules)
      const { workerId: leaseOwner } = claim
      const leaseExpiresAt = new Date(rows.now.getTime() + claim.leaseMs)
      for (const delivery of chosen) {
        rows.write(delivery, { leaseNumber: delivery.leaseNumber + 1, leaseOwner, leaseExpiresAt })
      }
      return { deliveries: chosen.map(claimed), nextAfterLane }
    },
    async record(records) {
      // Exhausted ones last, as everywhere: successes come first within a batch.
      const exhausted = records.filter(({ decision }) => decision.state === 'exhausted')
      const others = records.filter(({ decision }) => decision.state !== 'exhausted')
      return { recorded: new Set([...others, ...exhausted].filter(recordOne).map(({ deliveryId }) => deliveryId)) }
    },
    async release(deliveries) {
      for (const { id, leaseNumber } of deliveries) {
        const delivery = rows.deliveries.get(id)
        if (delivery?.leaseNumber === leaseNumber) rows.write(delivery, unleased)
      }
    },
    async holdLeftovers() {
      for (const [endpointId, lane] of rows.lanes) {
        if (rows.endpoints.get(endpointId)!.state === 'enabled') continue
        const left = lane.filter((delivery) => !delivery.isTest && rules.isFree(delivery, rows.now))
        for (const delivery of left) rules.hold(rows, delivery)
      }
    },
  }
}

export function disable(rows: MemoryRows, endpoint: MemoryEndpoint, rules: MemoryRules): void {
  endpoint.state = 'disabled'
  const waiting = rows.lanes.get(endpoint.id)?.filter(({ leaseOwner, isTest }) => leaseOwner === null && !isTest)
  for (const delivery of waiting ?? []) rules.hold(rows, delivery)
}

/** Pending deliveries of its key that come before it. */
export function earlierOf(rows: MemoryRows, { endpointId, orderKey, orderNumber }: MemoryDelivery): MemoryDelivery[] {
  if (orderKey === null) return []
  const lane = rows.lanes.get(endpointId) ?? []
  return lane.filter((other) => other.orderKey === orderKey && other.orderNumber! < orderNumber!)
}

/** Whether the endpoint may receive it at all, regardless of the due time. */
export function isSendable(rows: MemoryRows, endpoint: MemoryEndpoint, delivery: MemoryDelivery): boolean {
  if (endpoint.isDeleted || rows.switchedOff.has(endpoint.organizationId)) return false
  return endpoint.state === 'enabled' || delivery.isTest
}

function chooseByLanes(rows: MemoryRows, options: ClaimOptions, rules: MemoryRules) {
  const { now } = rows
  const chosen: MemoryDelivery[] = []
  const endpointIds = [...rows.lanes.keys()].filter((endpointId) => endpointId > options.afterLane)
  for (const endpointId of endpointIds.sort()) {
    const endpoint = rows.endpoints.get(endpointId)!
    let room = options.rooms.get(endpointId) ?? options.roomOfOthers
    for (const delivery of rows.lanes.get(endpointId)!) {
      if (room === 0 || delivery.nextAttemptAt! > now) break
      const isFree = rules.isFree(delivery, now) || rules.isOrphaned(delivery, options.goneWorkers)
      if (!isFree || !isSendable(rows, endpoint, delivery) || rules.isBlocked(rows, delivery)) continue
      chosen.push(delivery)
      room -= 1
      if (chosen.length === options.count) return { chosen, nextAfterLane: endpointId }
    }
  }
  return { chosen, nextAfterLane: '' }
}
