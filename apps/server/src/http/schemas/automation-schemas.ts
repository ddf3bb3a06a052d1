import { Type } from 'typebox'
import { type AgentKind, agentKinds, agentRunTriggers } from '../../model/agent-run.ts'
import { comparisons } from '../../model/automation.ts'
import { deliveryStates } from '../../model/delivery.ts'
import { eventTypes } from '../../model/event-type.ts'
import {
  closed,
  described,
  namedEnum,
  nullable,
  NullableText,
  NullableTimestamp,
  oneOf,
  orNull,
  RunStatus,
  Timestamp,
} from '../schemas.ts'

const isStopped = Type.Boolean({ description: 'True if a person stopped it. Its status is then `failed`.' })

const automationRunFields = {
  id: Type.String({ examples: ['agentrun_6b2m'] }),
  automationId: Type.String({ examples: ['automation_4c9t'] }),
  automationName: Type.String({ examples: ['Weekly report'] }),
  agent: Type.Unsafe<AgentKind>({
    type: 'string',
    enum: [...agentKinds],
    description: '`digest` needs no model and states figures and what changed; `model` asks the organization’s model.',
  }),
  status: RunStatus,
  trigger: described(oneOf(agentRunTriggers), 'What made it run: `api` for this route.'),
  triggerId: Type.String({
    description: 'Who or what caused it: `key_…`, `user_…` or `automation_…`.',
    examples: ['key_3h5j'],
  }),
  requestedAt: Timestamp,
  dueAt: described(NullableTimestamp, 'The time it was due, for a schedule; else null.'),
  missedCount: Type.Integer({ description: 'How many more due times it stands for; counted up to 1000.' }),
  isLate: Type.Boolean({ description: 'True when it began more than a minute after its due time.' }),
  startedAt: described(NullableTimestamp, 'Null until an agent takes it.'),
  endedAt: described(NullableTimestamp, 'Null until it has completed or failed.'),
  summary: described(NullableText, 'What the run found, as plain text. Null unless it completed.'),
  reason: described(NullableText, 'Why it failed, or that it was stopped and by whom. Null unless it failed.'),
  isStopped,
  chatUrl: Type.String({
    description: 'The permalink of its chat, which holds every step.',
    examples: ['http://localhost:3000/chats/m4k2x8qdpw'],
  }),
  chatShortId: Type.String({ examples: ['m4k2x8qdpw'] }),
  usage: nullable(
    Type.Object(
      {
        inputTokens: Type.Integer(),
        outputTokens: Type.Integer(),
        steps: Type.Integer({ description: 'How often the model was asked.' }),
      },
      { title: 'ModelUsage', description: 'What the model was asked for. Null for a digest.' },
    ),
  ),
}

/** Published, and as the pages show it. */
export const AutomationRun = Type.Object(
  {
    ...automationRunFields,
    event: nullable(
      Type.Object(
        {
          id: Type.String({ examples: ['evt_1r8d'] }),
          type: oneOf(eventTypes),
          createdAt: Timestamp,
          data: Type.Object({
            automationId: Type.String(),
            automationName: Type.String(),
            runId: Type.String(),
            chatUrl: Type.String(),
            summary: Type.Optional(Type.String({ description: 'Of a run that completed.' })),
            imageUrl: Type.Optional(Type.Null({ description: 'Reserved; of a run that completed.' })),
            reason: Type.Optional(Type.String({ description: 'Of a run that failed.' })),
          }),
          deliveries: Type.Array(
            Type.Object(
              {
                id: Type.String(),
                endpointId: Type.String(),
                url: Type.String(),
                state: oneOf(deliveryStates),
              },
              { title: 'EventDelivery', description: 'How one endpoint’s delivery of the event stands.' },
            ),
          ),
        },
        {
          title: 'AutomationRunEvent',
          description: 'The event that told of the run’s end. Null before the end, and once events of that time are no longer kept.',
        },
      ),
    ),
  },
  { title: 'AutomationRun', description: 'One run of an automation.' },
)

export const ListedAutomationRun = Type.Object(automationRunFields, {
  title: 'ListedAutomationRun',
  description: 'One run of an automation, as lists show it.',
})

/** An answer to a question in a chat, and the part that a run of an automation has in common with it. */
export const AgentAnswer = Type.Object(
  {
    id: Type.String(),
    status: RunStatus,
    agent: namedEnum('AgentKind', agentKinds),
    trigger: namedEnum('AgentRunTrigger', agentRunTriggers),
    requestedAt: Timestamp,
    startedAt: NullableTimestamp,
    endedAt: NullableTimestamp,
    reason: described(NullableText, 'Why it failed. Null unless it did.'),
    isStopped,
  },
  { title: 'AgentAnswer', description: 'An agent’s answer to a question in a chat.' },
)

export const Schedule = Type.Object(
  {
    cron: Type.String({ maxLength: 500, description: 'Five fields: minute, hour, day of month, month, day of week.' }),
    timeZone: Type.String({ maxLength: 100, description: 'An IANA name, as Europe/Berlin.' }),
  },
  { title: 'Schedule', ...closed },
)

const Comparison = namedEnum('Comparison', comparisons)

const ofEveryCondition = {
  reference: Type.String({ description: 'A shortId.' }),
  everyTime: Type.Optional(Type.Boolean({ description: 'Runs at every result that meets it, not only at the first.' })),
}

const Condition = Type.Union(
  [
    Type.Object({ ...ofEveryCondition, kind: Type.Literal('row_count'), comparison: Comparison, number: Type.Number() }),
    Type.Object({
      ...ofEveryCondition,
      kind: Type.Literal('value'),
      column: Type.String(),
      comparison: Comparison,
      number: Type.Number(),
    }),
    Type.Object({ ...ofEveryCondition, kind: Type.Literal('changed') }),
  ],
  { title: 'Condition', description: 'What the result of a reference must be for a run to begin.' },
)

/** As it may be given: the domain says which fields go with which kind. */
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
    references: Type.Array(Type.String(), { description: 'shortIds.' }),
    schedule: orNull(Schedule),
    condition: nullable(Condition),
    conditionState: orNull(
      Type.Object(
        {
          runId: described(NullableText, 'The query’s run whose result was judged; null before there was one.'),
          resultHash: described(NullableText, 'Of that result.'),
          isMet: Type.Boolean(),
          judgedAt: Timestamp,
          finding: Type.String({ description: 'What was found, or why it could not be judged, in words.' }),
        },
        { title: 'ConditionState', description: 'What the condition found the last time.' },
      ),
    ),
    enabled: Type.Boolean(),
    nextDueAt: NullableTimestamp,
    createdBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    latestRun: orNull(
      Type.Object({
        id: Type.String(),
        status: RunStatus,
        requestedAt: Timestamp,
        endedAt: NullableTimestamp,
        chatUrl: Type.String(),
      }),
    ),
  },
  { title: 'Automation', description: 'Has an agent look at references, and says when.' },
)

const whenAndWho = {
  schedule: Type.Optional(orNull(Schedule)),
  condition: Type.Optional(orNull(GivenCondition)),
  agent: Type.Optional(namedEnum('AgentKind', agentKinds)),
  enabled: Type.Optional(Type.Boolean()),
}
const what = { name: Type.String(), instructions: Type.String(), references: Type.Array(Type.String()) }

export const NewAutomation = Type.Object({ ...what, ...whenAndWho }, { title: 'NewAutomation', ...closed })

export const AutomationChange = Type.Object(
  { ...Type.Partial(Type.Object(what)).properties, ...whenAndWho },
  { title: 'AutomationChange', ...closed },
)

export const SchedulePreview = Type.Object(
  { times: Type.Array(Timestamp) },
  { title: 'SchedulePreview', description: 'The next times of a schedule.' },
)
