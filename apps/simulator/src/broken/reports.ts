import type { ReportWorkerDeps } from '@querypost/server/background-work'
import type { BrokenEngine } from './broken-engine.ts'

export const brokenReports: readonly BrokenEngine[] = [
  {
    // A crash between the two loses the report.
    name: 'report recorded as sent before sending',
    noticedBy: ['reports'],
    spoils: {
      reportDeliveries: (deps) => ({
        ...deps,
        reportDeliveries: {
          ...deps.reportDeliveries,
          async claim(options) {
            const claim = await deps.reportDeliveries.claim(options)
            const sent = { attempt: null, decision: { state: 'sent' }, endedAgoMs: 0 } as const
            await deps.reportDeliveries.record(claim.deliveries.map((delivery) => ({ delivery, ...sent })))
            return claim
          },
        },
      }),
    },
  },
  { name: 'report delivery not fenced', noticedBy: ['reports'], workRules: { isReportDeliveryFenced: false } },
  { name: 'report delivery not leased', noticedBy: ['reports'], workRules: { isReportDeliveryLeased: false } },
  {
    // A worker that comes back prepares the report a second time, and everyone gets it twice.
    name: 'report job not fenced',
    noticedBy: ['reports'],
    workRules: { isReportJobFenced: false },
  },
  {
    // A report to thousands delays those of all other organizations.
    name: 'report claimed by age alone',
    noticedBy: ['reports'],
    workRules: { isReportClaimFair: false },
  },
  { name: 'report sent after unsubscribing', noticedBy: ['reports'], workRules: { isUnsubscriptionHonored: false } },
  { name: 'report sent before confirmation', noticedBy: ['reports'], workRules: { isConfirmationRequired: false } },
  {
    name: 'report due by machine clock',
    noticedBy: ['reports'],
    workRules: { nowOf: (work, kind) => (kind === 'reports' ? work.callerNow : work.now) },
  },
  {
    // A thousand recipients of fifty stores would cost a thousand queries.
    name: 'report rendered for every recipient',
    noticedBy: ['reports'],
    spoils: { reports: renderForEach },
  },
  {
    // Someone whose report failed once never gets it.
    name: 'every rejection of a report is permanent',
    noticedBy: ['reports'],
    spoils: {
      reportDeliveries: (deps) => ({
        ...deps,
        reportDeliveries: {
          ...deps.reportDeliveries,
          record: (records) =>
            deps.reportDeliveries.record(
              records.map((each) => (each.decision.state === 'due' ? { ...each, decision: { state: 'failed', isTargetBroken: false } } : each)),
            ),
        },
      }),
    },
  },
]

/** Prepares the report once per recipient, and joins the deliveries. */
function renderForEach(deps: ReportWorkerDeps): ReportWorkerDeps {
  return {
    ...deps,
    async prepare(job, signal) {
      const whole = await deps.prepare(job, signal)
      if (whole.state !== 'prepared') return whole
      const more = await Promise.all(whole.deliveries.slice(1).map(() => deps.prepare(job, signal)))
      return more.length === 0 ? whole : { ...whole, contents: [...whole.contents, ...more.flatMap((each) => (each.state === 'prepared' ? each.contents : []))] }
    },
  }
}
