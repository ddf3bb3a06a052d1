import { Type } from 'typebox'
import { HistoryFill } from './history-schemas.ts'
import { type AgentKind, agentKinds, agentRunTriggers } from '../../model/agent-run.ts'
import {
  aggregates,
  alertComparisons,
  alertLimits,
  alertStatuses,
  alertTestKinds,
  changeDirections,
  changeUnits,
  comparedPeriods,
  severities,
} from '../../model/alert.ts'
import { comparisons } from '../../model/automation.ts'
import { deliveryStates } from '../../model/delivery.ts'
import { automationRunEventTypes } from '../../model/event.ts'
import {
  closed,
  described,
  namedEnum,
  nullable,
  NullableText,
  isStopped,
  NullableTimestamp,
  oneOf,
  orNull,
  RunStatus,
  Timestamp,
} from '../schemas.ts'

const automationRunFields = {
  id: Type.String({ examples: ['arun_6b2m'] }),
  automationId: Type.String({ examples: ['automation_4c9t'] }),
  automationName: Type.String({ examples: ['Weekly report'] }),
  agent: Type.Unsafe<AgentKind>({
    type: 'string',
    enum: [...agentKinds],
    description: '`digest` needs no model and reports figures and changes; `model` uses the organization’s AI model.',
  }),
  status: RunStatus,
  trigger: described(oneOf(agentRunTriggers), 'What triggered the run: `api` for this route.'),
  triggerId: Type.String({
    description: 'Who or what triggered the run: `key_…`, `user_…` or `automation_…`.',
    examples: ['key_3h5j'],
  }),
  requestedAt: Timestamp,
  dueAt: described(NullableTimestamp, 'When a scheduled run was due; otherwise null.'),
  missedCount: Type.Integer({ description: 'How many missed due times this run also covers, counted up to 1000.' }),
  isLate: Type.Boolean({ description: 'True if it was requested a minute or more after its due time, or covers missed ones.' }),
  startedAt: described(NullableTimestamp, 'Null until an agent starts it.'),
  endedAt: described(NullableTimestamp, 'Null until the run has completed or failed.'),
  summary: described(NullableText, 'The findings as plain text. Null unless the run completed.'),
  reason: described(NullableText, 'Why the run failed, or who stopped it. Null unless it failed.'),
  isStopped,
  chatUrl: Type.String({
    description: 'The permalink of the chat with every step of the run.',
    examples: ['http://localhost:3000/chats/m4k2x8qdpw'],
  }),
  chatShortId: Type.String({ examples: ['m4k2x8qdpw'] }),
  usage: nullable(
    Type.Object(
      {
        inputTokens: Type.Integer(),
        outputTokens: Type.Integer(),
        steps: Type.Integer({ description: 'Number of calls to the model.' }),
      },
      { title: 'ModelUsage', description: 'Usage of the model. Null for a digest.' },
    ),
  ),
}

/** Used by the published API and by the web app. */
export const AutomationRun = Type.Object(
  {
    ...automationRunFields,
    event: nullable(
      Type.Object(
        {
          id: Type.String({ examples: ['evt_1r8d'] }),
          type: oneOf(automationRunEventTypes),
          createdAt: Timestamp,
          data: Type.Object({
            automationId: Type.String(),
            automationName: Type.String(),
            runId: Type.String(),
            chatUrl: Type.String(),
            summary: Type.Optional(Type.String({ description: 'Only for a completed run.' })),
            imageUrl: Type.Optional(Type.Null({ description: 'Reserved. Only for a completed run.' })),
            reason: Type.Optional(Type.String({ description: 'Only for a failed run.' })),
          }),
          deliveries: Type.Array(
            Type.Object(
              {
                id: Type.String(),
                endpointId: Type.String(),
                url: Type.String(),
                state: oneOf(deliveryStates),
              },
              { title: 'EventDelivery', description: 'The state of the delivery to one endpoint.' },
            ),
          ),
        },
        {
          title: 'AutomationRunEvent',
          description: 'The event for the end of the run. Null before the end, and when the event is no longer kept.',
        },
      ),
    ),
  },
  { title: 'AutomationRun', description: 'One run of an automation.' },
)

export const ListedAutomationRun = Type.Object(automationRunFields, {
  title: 'ListedAutomationRun',
  description: 'One run of an automation in a list.',
})

/** An answer to a question in a chat. A run of an automation has all of these fields too. */
export const AgentAnswer = Type.Object(
  {
    id: Type.String(),
    status: RunStatus,
    agent: namedEnum('AgentKind', agentKinds),
    trigger: namedEnum('AgentRunTrigger', agentRunTriggers),
    requestedAt: Timestamp,
    startedAt: NullableTimestamp,
    endedAt: NullableTimestamp,
    reason: described(NullableText, 'Why it failed. Null unless it failed.'),
    isStopped,
  },
  { title: 'AgentAnswer', description: 'An agent’s answer to a question in a chat.' },
)

export const Schedule = Type.Object(
  {
    cron: Type.String({ maxLength: 500, description: 'Five fields: minute, hour, day of month, month, day of week.' }),
    timeZone: Type.String({ maxLength: 100, description: 'An IANA time zone, such as Europe/Berlin.' }),
  },
  { title: 'Schedule', description: 'A cron expression and its time zone.', ...closed },
)

const Comparison = namedEnum('Comparison', comparisons)

const commonConditionFields = {
  reference: Type.String({ description: 'The shortId of a query reference.' }),
  everyTime: Type.Optional(Type.Boolean({ description: 'Run for every result that meets the condition, not only for the first.' })),
}

const Severity = namedEnum('Severity', severities)

/** The domain checks which fields belong to which kind. */
const AlertTest = Type.Object(
  {
    kind: namedEnum('AlertTestKind', alertTestKinds),
    severity: Type.Optional(Severity),
    forRuns: Type.Optional(Type.Integer({ description: 'Fires after so many results in a row.' })),
    column: Type.Optional(Type.String({ description: 'Left out: the number of rows.' })),
    aggregate: Type.Optional(namedEnum('Aggregate', aggregates)),
    comparison: Type.Optional(namedEnum('AlertComparison', alertComparisons)),
    number: Type.Optional(Type.Number()),
    resolveAt: Type.Optional(Type.Number({ description: 'Once it fires, it goes on until the value has passed this number too.' })),
    against: Type.Optional(namedEnum('ComparedPeriod', comparedPeriods)),
    direction: Type.Optional(namedEnum('ChangeDirection', changeDirections)),
    by: Type.Optional(Type.Number()),
    unit: Type.Optional(namedEnum('ChangeUnit', changeUnits)),
    keyColumns: Type.Optional(Type.Array(Type.String(), { maxItems: alertLimits.keyColumns })),
    hours: Type.Optional(Type.Number()),
    deviations: Type.Optional(Type.Number()),
    results: Type.Optional(Type.Integer()),
  },
  { title: 'AlertTest', description: 'One question about a result. An alert fires if any of its tests does.', ...closed },
)

const MuteWindow = Type.Object(
  {
    days: Type.Array(Type.Integer(), { maxItems: 7, description: '1 is Monday.' }),
    from: Type.String({ maxLength: 5, description: 'As 22:00.' }),
    to: Type.String({ maxLength: 5, description: 'As 06:30, or 24:00. Before `from`: on the next day.' }),
    timeZone: Type.String({ maxLength: 100 }),
  },
  { title: 'MuteWindow', description: 'Times at which an alert sends no messages.', ...closed },
)

const AlertStatus = namedEnum('AlertStatus', alertStatuses)

const alertParts = {
  tests: Type.Array(AlertTest, { maxItems: alertLimits.tests }),
  muteWindows: Type.Array(MuteWindow, { maxItems: alertLimits.muteWindows }),
}

const Condition = Type.Union(
  [
    Type.Object({ ...commonConditionFields, kind: Type.Literal('row_count'), comparison: Comparison, number: Type.Number() }),
    Type.Object({
      ...commonConditionFields,
      kind: Type.Literal('value'),
      column: Type.String(),
      comparison: Comparison,
      number: Type.Number(),
    }),
    Type.Object({ ...commonConditionFields, kind: Type.Literal('changed') }),
    Type.Object({ reference: commonConditionFields.reference, kind: Type.Literal('alert'), ...alertParts }),
  ],
  { title: 'Condition', description: 'The condition that a result must meet to start a run.' },
)

/** A condition in a request. The domain checks which fields belong to which kind. */
export const GivenCondition = Type.Object(
  {
    reference: Type.String(),
    kind: oneOf(['row_count', 'value', 'changed', 'alert']),
    column: Type.Optional(Type.String()),
    comparison: Type.Optional(Comparison),
    number: Type.Optional(Type.Number()),
    everyTime: Type.Optional(Type.Boolean()),
    tests: Type.Optional(alertParts.tests),
    muteWindows: Type.Optional(alertParts.muteWindows),
  },
  { title: 'GivenCondition', ...closed },
)

export const Automation = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    instructions: Type.String(),
    agent: namedEnum('AgentKind', agentKinds),
    references: Type.Array(Type.String(), { description: 'The shortIds of query references.' }),
    schedule: orNull(Schedule),
    condition: nullable(Condition),
    conditionState: orNull(
      Type.Object(
        {
          runId: described(NullableText, 'The query run whose result was checked; null before the first check of a result.'),
          resultHash: described(NullableText, 'Hash of that result.'),
          isMet: Type.Boolean(),
          judgedAt: Timestamp,
          finding: Type.String({ description: 'The outcome as text, or why the condition could not be checked.' }),
        },
        { title: 'ConditionState', description: 'The outcome of the last check.' },
      ),
    ),
    alertState: orNull(
      Type.Object(
        {
          status: AlertStatus,
          severity: nullable(Severity),
          since: described(Timestamp, 'When the alert got this status.'),
          finding: Type.String(),
        },
        { title: 'AlertState', description: 'The state of an alert. Null before its first result, and for other conditions.' },
      ),
    ),
    snoozedUntil: described(NullableTimestamp, 'The alert sends no messages before this time.'),
    enabled: Type.Boolean(),
    strict: Type.Boolean({ description: 'Whether a run fails if its summary has a figure that is not proven.' }),
    nextDueAt: NullableTimestamp,
    createdBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    latestRun: orNull(
      Type.Object({
        id: Type.String(),
        status: RunStatus,
        isStopped,
        requestedAt: Timestamp,
        endedAt: NullableTimestamp,
        chatUrl: Type.String(),
      }),
    ),
  },
  { title: 'Automation', description: 'Has an agent report on query references, on a schedule or on a condition.' },
)

const optionalFields = {
  schedule: Type.Optional(orNull(Schedule)),
  condition: Type.Optional(orNull(GivenCondition)),
  agent: Type.Optional(namedEnum('AgentKind', agentKinds)),
  enabled: Type.Optional(Type.Boolean()),
  strict: Type.Optional(Type.Boolean()),
}
const requiredFields = {
  name: Type.String({ examples: ['Weekly report'] }),
  instructions: Type.String({ examples: ['Say what changed.'] }),
  references: Type.Array(Type.String(), { description: 'The shortIds of query references.', examples: [['w3n8c5vdht']] }),
}

export const NewAutomation = Type.Object({ ...requiredFields, ...optionalFields }, { title: 'NewAutomation', ...closed })

export const AutomationChange = Type.Object(
  { ...Type.Partial(Type.Object(requiredFields)).properties, ...optionalFields },
  { title: 'AutomationChange', ...closed },
)

export const AlertChanges = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          number: Type.Integer(),
          at: Timestamp,
          status: AlertStatus,
          severity: nullable(Severity),
          finding: Type.String(),
          runId: described(NullableText, 'The query run that was evaluated.'),
          newRowCount: nullable(Type.Integer()),
          announcedAt: described(NullableTimestamp, 'When people were notified. Null if they were not.'),
          quietBecause: nullable(namedEnum('QuietReason', ['snoozed', 'muted'])),
        },
        { title: 'AlertChange', description: 'A change of an alert’s state.' },
      ),
    ),
    nextBefore: described(nullable(Type.Integer()), 'For `before`, to get the next page. Null on the last page.'),
  },
  { title: 'AlertChanges' },
)

export const BacktestRequest = Type.Object({ condition: GivenCondition }, { title: 'BacktestRequest', ...closed })

export const Backtest = Type.Object(
  {
    resultCount: Type.Integer(),
    remaining: Type.Integer({ description: 'Results that are not read yet. Ask again until there are none.' }),
    dateParameters: Type.Array(Type.String(), { description: 'Parameters whose past values the history can be filled with.' }),
    fill: nullable(HistoryFill),
    storingCount: Type.Integer({ description: 'Results of filled days that are still being stored. Ask again until there are none.' }),
    from: NullableTimestamp,
    to: NullableTimestamp,
    messageCount: Type.Integer(),
    silentDays: Type.Integer({ description: 'Days in UTC on which it did not fire.' }),
    firings: Type.Array(
      Type.Object(
        { from: Timestamp, to: described(NullableTimestamp, 'Null if it still fires.'), severity: Severity, finding: Type.String() },
        { title: 'BacktestFiring' },
      ),
    ),
    points: Type.Array(
      Type.Object({ at: Timestamp, runId: Type.String(), value: NullableText, status: AlertStatus }, { title: 'BacktestPoint' }),
    ),
  },
  { title: 'Backtest', description: 'What a condition would have done over the kept results.' },
)

export const DigestBacktestRequest = Type.Object(
  {
    references: Type.Array(Type.String(), { description: 'The shortIds of the queries.' }),
    schedule: Type.Optional(nullable(Schedule)),
    before: Type.Optional(Timestamp),
  },
  { title: 'DigestBacktestRequest', ...closed },
)

export const DigestBacktest = Type.Object(
  {
    summaries: Type.Array(
      Type.Object({ at: Timestamp, summary: Type.String({ description: 'Markdown.' }), isNotable: Type.Boolean() }, { title: 'PastSummary' }),
      { description: 'Newest first.' },
    ),
    count: Type.Integer({ description: 'How many it would have written in all.' }),
    nextBefore: described(NullableTimestamp, 'For `before`, to get the next page. Null on the last page.'),
  },
  { title: 'DigestBacktest', description: 'The summaries that the digest would have written over the kept results.' },
)

export const ModelBacktest = Type.Object(
  {
    model: Type.String(),
    times: Type.Array(Timestamp, { description: 'When summaries can be written for, newest first; at most five.' }),
    estimate: described(
      nullable(
        Type.Object(
          {
            basis: described(oneOf(['automation', 'organization']), 'Whose earlier runs it is an average of.'),
            runCount: Type.Integer(),
            inputTokens: Type.Integer(),
            outputTokens: Type.Integer(),
            cost: described(nullable(Type.Number()), 'Null if the model has no price.'),
          },
          { title: 'SummaryEstimate' },
        ),
      ),
      'For each summary. Null without earlier runs to judge by.',
    ),
    currency: NullableText,
  },
  { title: 'ModelBacktest', description: 'Which past summaries the model can write, and what they would cost.' },
)

export const PastSummaryRequest = Type.Object(
  { at: Timestamp, instructions: Type.Optional(Type.String({ description: 'In place of the saved ones.' })) },
  { title: 'PastSummaryRequest', ...closed },
)

export const ModelSummary = Type.Object(
  {
    summary: described(NullableText, 'Markdown. Null if the model did not write one.'),
    failureReason: NullableText,
    unverifiedCount: Type.Integer({ description: 'How many of its figures could not be verified.' }),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
  },
  { title: 'ModelSummary', description: 'A summary that the model would have written.' },
)

export const SchedulePreview = Type.Object(
  { times: Type.Array(Timestamp) },
  { title: 'SchedulePreview', description: 'The next times of a schedule.' },
)
