import { queryOptions } from '@tanstack/react-query'
import type { GivenModelSettings } from './generated/schemas.ts'
import { request } from './request.ts'

export type { GivenModelSettings, ModelProvider, ModelSettings, ModelTest } from './generated/schemas.ts'

export const saveModelSettings = (body: GivenModelSettings) => request('PUT /model-settings', { body })

export const removeModelSettings = () => request('DELETE /model-settings')

/** Tests the settings, saved or not, with a very short request to the model. */
export const testModelSettings = (body: GivenModelSettings) => request('POST /model-settings/test', { body })

/** Null if no model is connected. */
export const modelSettingsOptions = queryOptions({
  queryKey: ['model settings'],
  queryFn: async ({ signal }) => (await request('GET /model-settings', { signal })).settings,
})
