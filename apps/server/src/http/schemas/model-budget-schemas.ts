import { Type } from 'typebox'
import { usageGroupsMax } from '../../domain/model-budgets/model-usage.ts'
import { limitPeriods, limitScopes, limitUnits } from '../../model/model-budget.ts'
import { closed, described, namedEnum, NullableNumber, NullableText } from '../schemas.ts'

/** Budgets for the model: limits, prices and use. */
const LimitScope = namedEnum('LimitScope', limitScopes, 'The whole organization, or each person.')
const LimitPeriod = namedEnum('LimitPeriod', limitPeriods, 'A day or a calendar month, UTC.')
const LimitUnit = namedEnum('LimitUnit', limitUnits)

const ModelLimit = Type.Object(
  {
    scope: LimitScope,
    period: LimitPeriod,
    unit: LimitUnit,
    amount: Type.Number({ minimum: 0, maximum: 1e15, description: 'At 0, the model cannot be used.' }),
  },
  { title: 'ModelLimit', description: 'How much of the model may be used.', ...closed },
)

const price = (description: string) => Type.Number({ minimum: 0, maximum: 1e6, description })

const ModelPrice = Type.Object(
  {
    model: Type.String(),
    inputPrice: price('Of a million input tokens.'),
    outputPrice: price('Of a million output tokens.'),
  },
  { title: 'ModelPrice', ...closed },
)

export const ModelBudget = Type.Object(
  {
    currency: described(NullableText, 'Three letters, such as EUR. Required for prices and for limits in money.'),
    limits: Type.Array(ModelLimit, { maxItems: 8 }),
    prices: Type.Array(ModelPrice, { maxItems: 100 }),
  },
  { title: 'ModelBudget', description: 'The limits and prices of the organization’s model.', ...closed },
)

const useFields = {
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  requestCount: Type.Integer({ description: 'How many requests were sent to the model.' }),
  cost: described(NullableNumber, 'Null if the models have no price.'),
}

const DailyModelUse = Type.Object({ day: Type.String({ description: 'YYYY-MM-DD, UTC' }), ...useFields }, { title: 'DailyModelUse' })

const groupFields = { ...useFields, days: Type.Array(DailyModelUse, { description: 'Only days with use, oldest first.' }) }
const topGroups = { description: `The ${usageGroupsMax} with the most tokens, ordered by tokens.` }

export const ModelUsageReport = Type.Object(
  {
    from: Type.String({ description: 'The first day, YYYY-MM-DD, UTC.' }),
    days: Type.Integer(),
    total: Type.Object(groupFields, { title: 'ModelUseGroup' }),
    people: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), ...groupFields }, { title: 'ModelUseOfPerson' }),
      topGroups,
    ),
    sources: Type.Array(
      Type.Object(
        {
          kind: namedEnum('ModelUseSourceKind', ['automation', 'chats', 'evaluations']),
          id: described(NullableText, 'The automation’s id; null for chats and evaluations, which are counted together.'),
          name: Type.String(),
          ...groupFields,
        },
        { title: 'ModelUseOfSource' },
      ),
      topGroups,
    ),
    models: Type.Array(Type.Object({ model: Type.String(), ...groupFields }, { title: 'ModelUseOfModel' }), topGroups),
    spent: Type.Array(
      Type.Object(
        { scope: LimitScope, period: LimitPeriod, tokens: Type.Integer(), money: Type.Number() },
        { title: 'SpentAmount' },
      ),
      { description: 'What has been used in the current day and month. Empty if there are no limits.' },
    ),
  },
  { title: 'ModelUsageReport', description: 'What the model has used: of everyone for admins, otherwise of the caller.' },
)
