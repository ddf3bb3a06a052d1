import { queryOptions } from '@tanstack/react-query'
import type { ModelBudget } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  DailyModelUse,
  LimitPeriod,
  LimitScope,
  LimitUnit,
  ModelBudget,
  ModelLimit,
  ModelPrice,
  ModelUsageReport,
  ModelUseGroup,
} from './generated/schemas.ts'

export const saveModelBudget = (body: ModelBudget) => request('PUT /model-budget', { body })

export const modelBudgetOptions = queryOptions({
  queryKey: ['model budget'],
  queryFn: ({ signal }) => request('GET /model-budget', { signal }),
})

export const modelUsageOptions = queryOptions({
  queryKey: ['model usage'],
  queryFn: ({ signal }) => request('GET /model-usage', { signal }),
})
