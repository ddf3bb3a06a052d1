import type { AgentRunTrigger, AlertMessageKind, AlertState, AlertStatus, DropReason, MessageContent, NotificationKind } from '@querypost/server/model'

/** The tables of background work other than deliveries, in memory, with a journal of changes. */
export type Status = 'pending' | 'running' | 'completed' | 'failed'

interface Leased {
  leaseNumber: number
  leaseOwner: string | null
  leaseExpiresAt: Date | null
}

export interface MemoryRun extends Leased {
  id: string
  organizationId: string
  queryId: string
  databaseId: string
  status: Status
  runAt: Date
  triggerId: string
  stopRequestedBy: string | null
  failureReason: string | null
  resultHash: string | null
  rowCountSoFar: number | null
}

/** A result that a run reads. Its run is chosen when the reading run is requested. */
export interface MemoryRunInput {
  id: string
  runId: string
  inputRunId: string
  status: 'waiting' | 'completed' | 'failed'
  resultHash: string | null
}

export interface MemoryMessage {
  number: number
  content: MessageContent
}

export interface MemoryAgentRun extends Leased {
  id: string
  organizationId: string
  /** Null for an answer in a chat. */
  automationId: string | null
  userId: string
  /** `deleted`: the row is gone, together with its chat. */
  status: Status | 'deleted'
  trigger: AgentRunTrigger
  triggerId: string
  requestedAt: Date
  dueAt: Date | null
  missedCount: number
  startedAt: Date | null
  attemptCount: number
  stopRequestedBy: string | null
  failureReason: string | null
  stoppedBy: string | null
  eventId: string | null
  isChatDeleted: boolean
  /** The messages of its chat. Never changed in place. */
  messages: readonly MemoryMessage[]
}

export interface MemoryAutomation {
  id: string
  organizationId: string
  name: string
  createdBy: string
  cron: string
  timeZone: string
  nextDueAt: Date | null
}

/** A notification in the e-mail queue. */
export interface MemoryEmail {
  id: string
  organizationId: string
  userId: string
  kind: NotificationKind
  message: string
  link: string
  createdAt: Date
  isRead: boolean
  state: 'due' | 'sent' | 'failed' | null
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
}

/** A report after a run, until it has become deliveries. */
export interface MemoryReportJob {
  id: string
  organizationId: string
  reportId: string
  state: 'due' | 'prepared' | 'skipped' | 'failed'
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
}

export interface MemoryReportDelivery {
  id: string
  organizationId: string
  reportId: string
  jobId: string
  recipient: string
  /** Equal values give equal text. */
  values: string
  contentId: string
  state: 'due' | 'sent' | 'failed' | 'dropped'
  dropReason: DropReason | null
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
  recordedLease: number
}

/** Someone who gets reports. */
export interface MemorySubscriber {
  /** The e-mail address. */
  id: string
  isMember: boolean
  isConfirmed: boolean
  hasUnsubscribed: boolean
}

/** A question that was asked in Slack. */
export interface MemorySlackQuestion {
  id: string
  organizationId: string
  isByMember: boolean
  state: 'due' | 'waiting' | 'answered' | 'declined' | 'failed'
  /** The run that answers it, in a chat of its own. Null until it has been asked. */
  agentRunId: string | null
  replyTs: string | null
  toldSteps: number
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
  recordedLease: number
}

/** The result of a completed run, until it is kept. */
export interface MemoryArchiveJob {
  /** The run's id. */
  id: string
  organizationId: string
  state: 'due' | 'archived' | 'skipped' | 'failed'
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
}

export interface MemoryKeptResult {
  /** The run's id. */
  id: string
  objectId: string
}

/** Past days of a query that are filled one after the other. */
export interface MemoryFill {
  id: string
  organizationId: string
  referenceId: string
  days: readonly string[]
  state: 'due' | 'completed' | 'stopped' | 'failed'
  doneCount: number
  failedCount: number
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
  recordedLease: number
}

/** The result that stands for a day of a query. */
export interface MemoryFilledDay {
  id: string
  fillId: string
  day: string
  runId: string
}

/** The change feed of a query. */
export interface MemoryFeed {
  /** The query's id. */
  id: string
  organizationId: string
  latestNumber: number
  head: { runId: string; resultHash: string; rowCount: number } | null
  nextPosition: number
  nextAttemptAt: Date | null
  attemptCount: number
  leaseNumber: number
  recordedLease: number
}

/** A result in the queue of a feed. */
export interface MemoryFeedResult {
  id: string
  feedId: string
  position: number
  runId: string
  isTaken: boolean
}

export interface MemoryFeedChange {
  id: string
  feedId: string
  number: number
  fromHash: string
  toHash: string
  runId: string
}

export interface MemoryFeedEvent {
  /** The change's id. */
  id: string
  feedId: string
  number: number
}

/** An alert on the results of a query. */
export interface MemoryAlert {
  id: string
  organizationId: string
  queryId: string
  /** It fires above it. */
  limit: number
  /** The run whose end is to be evaluated, and since when. */
  unjudgedRunId: string | null
  unjudgedSince: Date | null
  judgedRunId: string | null
  state: AlertState | null
  snoozedUntil: Date | null
  announceAt: Date | null
}

export interface MemoryAlertChange {
  id: string
  alertId: string
  number: number
  status: AlertStatus
  runId: string | null
}

export interface MemoryAlertMessage {
  id: string
  alertId: string
  number: number
  kind: AlertMessageKind
}

export interface MemoryEvent {
  id: string
  organizationId: string
  type: string
  body: string
  agentRunId: string
}

export interface WorkTables {
  runs: MemoryRun
  agentRuns: MemoryAgentRun
  runInputs: MemoryRunInput
  automations: MemoryAutomation
  emails: MemoryEmail
  events: MemoryEvent
  reportJobs: MemoryReportJob
  reportDeliveries: MemoryReportDelivery
  subscribers: MemorySubscriber
  slackQuestions: MemorySlackQuestion
  archiveJobs: MemoryArchiveJob
  keptResults: MemoryKeptResult
  fills: MemoryFill
  filledDays: MemoryFilledDay
  feeds: MemoryFeed
  feedResults: MemoryFeedResult
  feedChanges: MemoryFeedChange
  feedEvents: MemoryFeedEvent
  alerts: MemoryAlert
  alertChanges: MemoryAlertChange
  alertMessages: MemoryAlertMessage
  alertEvents: MemoryAlertMessage
}

/** One row that a transaction wrote. */
export type WorkChange = {
  [Table in keyof WorkTables]: { table: Table; before: WorkTables[Table] | undefined; after: WorkTables[Table] }
}[keyof WorkTables]

type Maps = { [Table in keyof WorkTables]: Map<string, WorkTables[Table]> }

export interface MemoryWork extends Maps {
  /** The store's time, and the time of the calling machine's clock for broken rules. */
  now: Date
  callerNow: Date
  /** Rows that are pending or running. */
  unfinishedRuns: Set<MemoryRun>
  unfinishedAgentRuns: Set<MemoryAgentRun>
  /** Whether a run that completes requests that its result is kept. */
  areResultsKept: boolean
  /** Whether the queries publish changes. */
  areChangesPublished: boolean
  insert<Table extends keyof WorkTables>(table: Table, row: WorkTables[Table]): void
  write<Table extends keyof WorkTables>(table: Table, row: WorkTables[Table], change: Partial<WorkTables[Table]>): void
  /** Changes since the last look. */
  takeChanges(): WorkChange[]
  clear(): void
}

export function makeMemoryWork(): MemoryWork {
  let changes: WorkChange[] = []
  const unfinishedRuns = new Set<MemoryRun>()
  const unfinishedAgentRuns = new Set<MemoryAgentRun>()

  function note<Table extends keyof WorkTables>(table: Table, row: WorkTables[Table], before?: WorkTables[Table]) {
    changes.push({ table, before, after: { ...row } } as WorkChange)
    if (table === 'runs') keep(unfinishedRuns, row as MemoryRun)
    if (table === 'agentRuns') keep(unfinishedAgentRuns, row as MemoryAgentRun)
  }

  const work: MemoryWork = {
    now: new Date(0),
    callerNow: new Date(0),
    runs: new Map(),
    agentRuns: new Map(),
    runInputs: new Map(),
    automations: new Map(),
    emails: new Map(),
    events: new Map(),
    reportJobs: new Map(),
    reportDeliveries: new Map(),
    subscribers: new Map(),
    slackQuestions: new Map(),
    archiveJobs: new Map(),
    keptResults: new Map(),
    fills: new Map(),
    filledDays: new Map(),
    feeds: new Map(),
    feedResults: new Map(),
    feedChanges: new Map(),
    feedEvents: new Map(),
    alerts: new Map(),
    alertChanges: new Map(),
    alertMessages: new Map(),
    alertEvents: new Map(),
    areResultsKept: false,
    areChangesPublished: false,
    unfinishedRuns,
    unfinishedAgentRuns,
    insert(table, row) {
      ;(work[table] as Map<string, typeof row>).set(row.id, row)
      note(table, row)
    },
    write(table, row, change) {
      const before = { ...row }
      Object.assign(row, change)
      note(table, row, before)
    },
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
    clear() {
      for (const table of [work.runs, work.runInputs, work.agentRuns, work.automations, work.emails, work.events]) table.clear()
      for (const table of [work.reportJobs, work.reportDeliveries, work.subscribers, work.slackQuestions]) table.clear()
      for (const table of [work.archiveJobs, work.keptResults, work.feeds, work.feedResults, work.feedChanges, work.feedEvents]) table.clear()
      for (const table of [work.fills, work.filledDays]) table.clear()
      for (const table of [work.alerts, work.alertChanges, work.alertMessages, work.alertEvents]) table.clear()
      unfinishedRuns.clear()
      unfinishedAgentRuns.clear()
      changes = []
    },
  }
  return work
}

function keep<Row extends { status: Status | 'deleted' }>(unfinished: Set<Row>, row: Row) {
  if (row.status === 'pending' || row.status === 'running') unfinished.add(row)
  else unfinished.delete(row)
}

export type WorkKind = 'alerts' | 'runs' | 'agent runs' | 'schedules' | 'e-mails' | 'reports' | 'Slack questions' | 'kept results' | 'change feeds' | 'history fills'

/** Rules of these stores that broken engines change. */
export interface WorkRules {
  /** The time by which leases and due times are compared. */
  nowOf(work: MemoryWork, kind: WorkKind): Date
  /** Whether the writer holds the row, by its status, owner and lease number. */
  isHeld(row: Leased & { status: Status | 'deleted' }, lease: { workerId: string; leaseNumber: number }, kind: WorkKind): boolean
  /** Repeating the end of a run after a lost response gives the same answer. */
  isEndSaidAgain: boolean
  /** Which of the held runs are actually renewed. */
  renewed<Row>(held: Row[]): Row[]
  areAbandonedRecovered: boolean
  /** Whether a run waits until the runs that it reads have ended. */
  areInputsAwaited: boolean
  /** Whether a run reads the results that were chosen for it, not the latest ones of the same queries. */
  areInputsPinned: boolean
  /** Whether a run learns that one that it reads has failed. */
  areFailedInputsNoted: boolean
  attemptsMax: number
  countsGivenBackAttempt: boolean
  isMessageFenced: boolean
  /** How the end of an agent run and its event are committed. */
  isEventInTheSameTransaction: boolean
  lastMessageCount: number
  /** Whether deleting a chat also deletes the run that is working in it. */
  isRunDeletedWithChat: boolean
  missed(count: number): number
  /** A due time waits while its automation has an unfinished run. */
  waitsForRunUnderWay: boolean
  /** Whether moving a due time and requesting its run is one transaction, as it should be, or two and in which order. */
  dueTimeSteps: 'one transaction' | 'time first' | 'run first'
  isLetterFenced: boolean
  isLetterLeased: boolean
  isArchivingRequestedWithRun: boolean
  isArchiveJobFenced: boolean
  isFillFenced: boolean
  /** Whether a day that ends after a stop is ignored. */
  isFillStopHonored: boolean
  /** Whether a result is queued for its feed when its run ends, or when it is kept. */
  isFeedQueuedWithRun: boolean
  /** Whether a feed waits until the first result of its queue is kept, not just any. */
  isFeedWaitingForItsFirst: boolean
  isFeedFenced: boolean
  isFeedResultTakenAtClaim: boolean
  isFeedEventInTheSameTransaction: boolean
  /** Whether a change of an alert and its message are one transaction. */
  isAlertAnnouncedWithItsChange: boolean
  /** Whether an alert is decided from its latest state, and only if its result still waits. */
  isAlertLocked: boolean
  isAlertResultTakenWhenRead: boolean
  /** Whether the end of a quiet time makes a waiting message due. */
  areQuietTimesEnded: boolean
  areAlertsNotifiedOfFailures: boolean
  isReportJobFenced: boolean
  isReportDeliveryFenced: boolean
  isReportDeliveryLeased: boolean
  /** Whether organizations take turns. */
  isReportClaimFair: boolean
  /** Whether the claim drops deliveries to people who unsubscribed, or whose address is not confirmed. */
  isUnsubscriptionHonored: boolean
  isConfirmationRequired: boolean
  isSlackQuestionFenced: boolean
  isSlackQuestionLeased: boolean
  /** Whether asking a question from Slack and noting it is one transaction. */
  isAskedWithItsNote: boolean
}
