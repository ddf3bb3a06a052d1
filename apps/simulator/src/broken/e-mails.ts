import type { BrokenEngine } from './broken-engine.ts'

export const brokenEMails: readonly BrokenEngine[] = [
  {
    // A crash between the two loses the e-mail.
    name: 'recorded as sent before sending',
    noticedBy: ['e-mails'],
    spoils: {
      mail: (deps) => ({
        ...deps,
        emails: {
          ...deps.emails,
          async claim(options) {
            const claim = await deps.emails.claim(options)
            for (const email of claim.emails) await deps.emails.record(email, { state: 'sent' }, { endedAgoMs: 0 })
            return claim
          },
        },
      }),
    },
  },
  {
    name: 'e-mail record not fenced',
    noticedBy: ['e-mails'],
    workRules: { isLetterFenced: false },
  },
  {
    name: 'e-mail not leased',
    noticedBy: ['e-mails'],
    workRules: { isLetterLeased: false },
  },
  {
    name: 'e-mail due by machine clock',
    noticedBy: ['e-mails'],
    workRules: { nowOf: (work, kind) => (kind === 'e-mails' ? work.callerNow : work.now) },
  },
  {
    // An e-mail that crashes its process is claimed again and again.
    name: 'e-mail attempts not limited',
    noticedBy: ['e-mails'],
    spoils: {
      mail: (deps) => ({
        ...deps,
        emails: { ...deps.emails, claim: (options) => deps.emails.claim({ ...options, attemptsMax: Infinity }) },
      }),
    },
  },
  {
    name: 'every rejection is permanent',
    noticedBy: ['e-mails'],
    spoils: {
      mail: (deps) => ({
        ...deps,
        emails: {
          ...deps.emails,
          record: (email, decision, options) =>
            deps.emails.record(email, decision.state === 'due' ? { state: 'failed' } : decision, options),
        },
      }),
    },
  },
]
