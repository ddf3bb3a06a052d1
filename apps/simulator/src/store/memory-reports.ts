import type { ClaimedReportDelivery, ClaimedReportJob, DropReason, ReportDeliveryRecord } from '@querypost/server/model'
import { newId, type ReportDeliveryStore, type ReportJobStore, type TurnOptions, valuesKey } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import { after } from './memory-runs.ts'
import type { MemoryReportDelivery, MemoryReportJob, MemorySubscriber, MemoryWork, WorkRules } from './memory-work.ts'

interface StoreOptions {
  work: MemoryWork
  rules: WorkRules
}

interface DueRow {
  id: string
  organizationId: string
  state: string
  nextAttemptAt: Date | null
}

/** Like `dueInTurn` of the SQL store. */
function dueInTurn<Row extends DueRow>(rows: Iterable<Row>, now: Date, options: TurnOptions, { isReportClaimFair }: WorkRules): Row[] {
  const { count, heldByOrganization, perOrganizationMax = Infinity, servedOrganizations = [] } = options
  const due = [...rows]
    .filter(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= now)
    .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
  if (!isReportClaimFair) return due.slice(0, count)
  const taken = new Map(heldByOrganization)
  const inTurn = due.map((row) => {
    const turn = taken.get(row.organizationId) ?? 0
    taken.set(row.organizationId, turn + 1)
    return { row, turn }
  })
  const lately = ({ organizationId }: Row) => Number(servedOrganizations.includes(organizationId))
  // The sort is stable: the longest waiting stays first.
  return inTurn
    .filter(({ turn }) => turn < perOrganizationMax)
    .sort((a, b) => a.turn - b.turn || lately(a.row) - lately(b.row))
    .slice(0, count)
    .map(({ row }) => row)
}

/** The queue of reports to be prepared, in memory. */
export function makeMemoryReportJobStore({ work, rules }: StoreOptions): ReportJobStore {
  return {
    async claim({ leaseMs, ...turns }) {
      return dueInTurn(work.reportJobs.values(), rules.nowOf(work, 'reports'), turns, rules).map((job) => {
        work.write('reportJobs', job, {
          attemptCount: job.attemptCount + 1,
          leaseNumber: job.leaseNumber + 1,
          nextAttemptAt: after(work.now, leaseMs),
        })
        return claimedJob(job)
      })
    },
    async renew({ leaseMs, items }) {
      const held = items.flatMap(({ id, leaseNumber }) => {
        const job = work.reportJobs.get(id)!
        return job.state === 'due' && job.leaseNumber === leaseNumber ? [job] : []
      })
      for (const job of held) work.write('reportJobs', job, { nextAttemptAt: after(work.now, leaseMs) })
      return new Set(held.map(({ id }) => id))
    },
    async record({ id, leaseNumber, attemptNumber }, decision, { endedAgoMs }) {
      const job = work.reportJobs.get(id)!
      const isHeld = job.state === 'due' && job.leaseNumber === leaseNumber
      if (!isHeld && rules.isReportJobFenced) return job.state !== 'due' && job.state === decision.state && job.leaseNumber === leaseNumber
      if (decision.state === 'due') work.write('reportJobs', job, { nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
      else if (decision.state === 'given_back') work.write('reportJobs', job, { nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
      else work.write('reportJobs', job, { state: decision.state, nextAttemptAt: null })
      for (const delivery of decision.state === 'prepared' ? decision.deliveries : []) {
        work.insert('reportDeliveries', {
          id: delivery.id,
          organizationId: job.organizationId,
          reportId: job.reportId,
          jobId: id,
          recipient: delivery.recipient,
          values: valuesKey(delivery.values),
          contentId: delivery.contentId,
          state: 'due',
          dropReason: null,
          nextAttemptAt: after(work.now, delivery.dueInMs ?? 0),
          attemptCount: 0,
          leaseNumber: 0,
          recordedLease: 0,
        })
      }
      return true
    },
  }
}

/** The queue of report deliveries in memory. */
export function makeMemoryReportDeliveryStore({ work, rules }: StoreOptions): ReportDeliveryStore {
  /** False if the lease is lost. */
  function record({ delivery: { id, leaseNumber, attemptNumber }, decision, endedAgoMs }: ReportDeliveryRecord): boolean {
    const delivery = work.reportDeliveries.get(id)!
    if (rules.isReportDeliveryFenced) {
      if (delivery.recordedLease === leaseNumber) return true
      if (delivery.state !== 'due' || delivery.leaseNumber !== leaseNumber) return false
    }
    const recorded = { recordedLease: leaseNumber }
    if (decision.state === 'due') {
      work.write('reportDeliveries', delivery, { ...recorded, nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
    } else if (decision.state === 'given_back') {
      work.write('reportDeliveries', delivery, { ...recorded, nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
    } else work.write('reportDeliveries', delivery, { ...recorded, state: decision.state, nextAttemptAt: null })
    return true
  }

  return {
    async claim({ leaseMs, soonMs, ...turns }) {
      const soon = after(rules.nowOf(work, 'reports'), soonMs)
      const isMoreDueSoon = [...work.reportDeliveries.values()].some(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= soon)
      const due = dueInTurn(work.reportDeliveries.values(), rules.nowOf(work, 'reports'), turns, rules)
      const claims: ClaimedReportDelivery[] = []
      for (const delivery of due) {
        const dropReason = whyDropped(work.subscribers.get(delivery.recipient)!, rules)
        if (dropReason) work.write('reportDeliveries', delivery, { state: 'dropped', dropReason, nextAttemptAt: null })
        else {
          work.write('reportDeliveries', delivery, {
            attemptCount: delivery.attemptCount + 1,
            leaseNumber: delivery.leaseNumber + 1,
            ...(rules.isReportDeliveryLeased && { nextAttemptAt: after(work.now, leaseMs) }),
          })
          claims.push(claimedDelivery(delivery))
        }
      }
      return { deliveries: claims, checkedCount: due.length, isMoreDueSoon }
    },
    async readContent() {
      return { document: { title: 'Report', preview: '', link: '', sentAt: '', sections: [] }, images: new Map(), attachments: [] }
    },
    async record(records) {
      return new Set(records.flatMap((each) => (record(each) ? each.delivery.id : [])))
    },
  }
}

/** Like the claim of the SQL store. */
function whyDropped({ isMember, isConfirmed, hasUnsubscribed }: MemorySubscriber, rules: WorkRules): DropReason | null {
  if (hasUnsubscribed && rules.isUnsubscriptionHonored) return 'unsubscribed'
  return !isMember && !isConfirmed && rules.isConfirmationRequired ? 'unconfirmed' : null
}

export function insertReportJob(
  work: MemoryWork,
  random: Random,
  job: Pick<MemoryReportJob, 'organizationId' | 'reportId'> & { id?: string },
): string {
  const id = job.id ?? newId(random, 'rjob')
  work.insert('reportJobs', { ...job, id, state: 'due', nextAttemptAt: work.now, attemptCount: 0, leaseNumber: 0 })
  return id
}

const claimedJob = ({ id, organizationId, reportId, leaseNumber, attemptCount }: MemoryReportJob): ClaimedReportJob => ({
  id,
  leaseNumber,
  attemptNumber: attemptCount,
  organizationId,
  report: {
    id: reportId,
    automationId: 'automation_a',
    content: { kind: 'summary' },
    target: { kind: 'email', recipients: [] },
    when: 'always',
    minimumSeverity: null,
    values: null,
    attachments: [],
    isEnabled: true,
    createdBy: 'user_a',
  },
  automationName: 'Weekly revenue',
  creatorRole: 'admin',
  agentRunId: 'arun_a',
  alertNumber: null,
  requestedBy: null,
  isForRequester: false,
  isNotable: true,
  isConditionMet: true,
  resultsSince: new Date(0),
  requestedAt: new Date(0),
})

const claimedDelivery = (delivery: MemoryReportDelivery): ClaimedReportDelivery => ({
  id: delivery.id,
  leaseNumber: delivery.leaseNumber,
  attemptNumber: delivery.attemptCount,
  resendCount: 0,
  organizationId: delivery.organizationId,
  reportId: delivery.reportId,
  purpose: 'report',
  recipient: delivery.recipient,
  contentId: delivery.contentId,
  channel: null,
})
