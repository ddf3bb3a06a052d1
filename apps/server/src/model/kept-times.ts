const hourMs = 3600_000
const dayMs = 24 * hourMs

/** How long a page of a list may refer to the past. Old row versions are kept this long, so a sequence of pages cannot be older. */
const sequencesMs = 7 * dayMs

/** How long rows are kept whose time no setting changes. Sweeps remove them, and `querypost storage` shows these times. */
export const keptMs = {
  sequences: sequencesMs,
  /** A day more than promised, because the clocks of machines differ and a transaction may commit long after its timestamp. */
  pastVersions: sequencesMs + dayMs,
  /** Changes are listed this long. Their rows are gone long before, unless their results are pinned. */
  referenceChanges: 400 * dayMs,
  /** No comparison and no backtest looks back further. */
  resultMeasures: 400 * dayMs,
  /** Only the current day counts. Processes' clocks may be off by a little. */
  costUsage: 2 * dayMs,
  sessions: 30 * dayMs,
  /** After they expire. During this time an old link still explains why it does not work, and admins see invitations that were not accepted. */
  links: 30 * dayMs,
  idempotentAnswers: dayMs,
  /** How far back the log goes: a delivery is held within a day and a half, and kept for 30 days from then. */
  webhookDeliveries: 32 * dayMs,
  webhookEvents: 64 * dayMs,
  notifications: 90 * dayMs,
  /** How far back the log of deliveries goes. */
  reportDeliveries: 90 * dayMs,
  /** Far longer than Slack repeats an event. A thread that is older starts a new chat. */
  slackQuestions: 90 * dayMs,
} as const
