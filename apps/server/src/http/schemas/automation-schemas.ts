import { Type } from 'typebox'
import { type AgentKind, agentKinds, agentRunTriggers } from '../../model/agent-run.ts'
import { comparisons } from '../../model/automation.ts'
import { deliveryStates } from '../../model/delivery.ts'
import { runEventTypes } from '../../model/event-type.ts'
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
          type: oneOf(runEventTypes),
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
  ],
  { title: 'Condition', description: 'The condition that a result must meet to start a run.' },
)

/** A condition in a request. The domain checks which fields belong to which kind. */
const GivenCondition = Type.Object(
  {
    reference: Type.String(),
    kind: oneOf(['row_count', 'value', 'changed']),
    column: Type.Optional(Type.String()),
    comparison: Type.Optional(Comparison),
    number: Type.Optional(Type.Number()),
    everyTime: Type.Optional(Type.Boolean()),
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
const requiredFields = { name: Type.String(), instructions: Type.String(), references: Type.Array(Type.String()) }

export const NewAutomation = Type.Object({ ...requiredFields, ...optionalFields }, { title: 'NewAutomation', ...closed })

export const AutomationChange = Type.Object(
  { ...Type.Partial(Type.Object(requiredFields)).properties, ...optionalFields },
  { title: 'AutomationChange', ...closed },
)

export const SchedulePreview = Type.Object(
  { times: Type.Array(Timestamp) },
  { title: 'SchedulePreview', description: 'The next times of a schedule.' },
)
