import { Type } from 'typebox'
import { getModelBudget, putModelBudget } from '../../../domain/model-budgets/model-budgets.ts'
import { getModelUsage, usageDaysDefault, usageDaysMax } from '../../../domain/model-budgets/model-usage.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed } from '../../schemas.ts'
import { ModelBudget, ModelUsageReport } from '../../schemas/model-budget-schemas.ts'
import type { Api } from '../../typed.ts'

const Days = Type.Object(
  { days: Type.Optional(Type.Integer({ minimum: 1, maximum: usageDaysMax, default: usageDaysDefault })) },
  closed,
)

/** Limits, prices and use of the organization's model. Members can read the limits and their own use; admins change and see everything. */
export function modelBudgetRoutes(api: Api, services: AgentServices): void {
  api.get('/app/api/model-budget', { schema: { response: { 200: ModelBudget } } }, async (request) =>
    getModelBudget(services, callerOf(request)),
  )

  api.put('/app/api/model-budget', { schema: { body: ModelBudget, response: { 200: ModelBudget } } }, async (request) =>
    putModelBudget(services, callerOf(request), request.body),
  )

  api.get(
    '/app/api/model-usage',
    { schema: { querystring: Days, response: { 200: ModelUsageReport } } },
    async (request) => getModelUsage(services, callerOf(request), request.query),
  )
}
