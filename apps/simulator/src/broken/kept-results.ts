import type { BrokenEngine } from './broken-engine.ts'

export const brokenKeptResults: readonly BrokenEngine[] = [
  {
    // A crash after the run has ended, and its result is lost.
    name: 'kept result not requested with the run',
    noticedBy: ['kept results'],
    workRules: { isArchivingRequestedWithRun: false },
  },
  { name: 'kept result not fenced', noticedBy: ['kept results'], workRules: { isArchiveJobFenced: false } },
  {
    name: 'kept result due by machine clock',
    noticedBy: ['kept results'],
    workRules: { nowOf: (work, kind) => (kind === 'kept results' ? work.callerNow : work.now) },
  },
  {
    // A crash between the two, and the list shows a result that cannot be opened.
    name: 'result kept before it is stored',
    noticedBy: ['kept results'],
    spoils: {
      archive: (deps) => ({
        ...deps,
        archiveJobs: {
          ...deps.archiveJobs,
          async claim(options) {
            const jobs = await deps.archiveJobs.claim(options)
            for (const job of jobs) {
              const objectId = `arc_${job.id}_${job.leaseNumber}`
              await deps.archiveJobs.record(job, { state: 'archived', objectId, storedBytes: 1 }, { endedAgoMs: 0 })
            }
            return jobs
          },
        },
      }),
    },
  },
  {
    name: 'kept result abandoned after the first failure',
    noticedBy: ['kept results'],
    spoils: {
      archive: (deps) => ({
        ...deps,
        archiveJobs: {
          ...deps.archiveJobs,
          record: (job, decision, options) =>
            deps.archiveJobs.record(job, decision.state === 'due' ? { state: 'failed', reason: decision.reason } : decision, options),
        },
      }),
    },
  },
]
