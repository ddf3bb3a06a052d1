import { composeReport, reportPaceOf, type ReportDeliveryWorkerDeps, type ReportWorkerDeps, valuesKey } from '@querypost/server/background-work'
import { type Mail, MailError } from '@querypost/server/connections'
import type { UnlinkedReport } from '@querypost/server/model'
import type { PortOptions } from './engine-port.ts'

/** Slow, so that even a report to a few people takes longer than some faults. */
export const reportPace = { ...reportPaceOf(2), burst: 2 }

const empty: UnlinkedReport = {
  document: { title: 'Report', preview: '', link: '', sentAt: '', sections: [] },
  images: new Map(),
  attachments: [],
  linkedFiles: [],
}

/** Prepares reports with the recipients of the plan. Rendering takes a while, as queries do, and sometimes fails. */
export function makePrepare(options: PortOptions): ReportWorkerDeps['prepare'] {
  const { machine, chance, coverage, faults, work } = options
  return async (job, signal) => {
    const { recipients } = work.plan.reports.find(({ id }) => id === job.report.id)!
    const attempt = `${job.id} ${job.leaseNumber}`
    const prepared = await composeReport(
      {
        clock: machine.clock,
        random: chance,
        reportPace,
        async render(values) {
          const fault = faults.meet(machine, 'report.render')
          if (fault.crash === 'before') machine.die()
          work.renders.set(attempt, [...(work.renders.get(attempt) ?? []), valuesKey(values)])
          await new Promise<void>((resolve) => void machine.later(chance.between(10, 20_000), resolve))
          signal.throwIfAborted()
          if (fault.crash === 'after') machine.die()
          if (chance.isTrue(0.05)) {
            coverage.count('report: rendering fails')
            throw new Error('the query failed for a reason of the database')
          }
          return empty
        },
        linkTo: () => '',
      },
      {
        kind: 'email',
        recipients: recipients.map(({ email, isMember, store }) => ({
          email,
          userId: isMember ? `user_${email}` : null,
          values: store === null ? null : { store },
        })),
      },
      'report',
    )
    return { state: 'prepared', ...prepared }
  }
}

/** Sends reports through the mail server of the plan. */
export function makeReportSender(mail: Mail): Pick<ReportDeliveryWorkerDeps, 'senderOf' | 'targetOf'> {
  return {
    targetOf: ({ recipient }) => ({ kind: 'email', address: recipient, unsubscribeUrl: null }),
    senderOf: () => ({
      async send({ deliveryId: id }, signal) {
        try {
          await mail.send({ id, to: '', subject: '', text: '' }, signal)
          return { kind: 'sent' }
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof MailError)) throw error
          if (error.isFinal) return { kind: 'refused_for_good', detail: error.message, isChannelBroken: false }
          return { kind: 'refused_for_now', detail: error.message }
        }
      },
    }),
  }
}
