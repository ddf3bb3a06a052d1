import { queryOptions } from '@tanstack/react-query'
import type { GivenModelSettings } from './generated/schemas.ts'
import { request } from './request.ts'

export type { GivenModelSettings, ModelProvider, ModelSettings, ModelTest } from './generated/schemas.ts'

export const saveModelSettings = (body: GivenModelSettings) => request('PUT /model-settings', { body })

export const removeModelSettings = () => request('DELETE /model-settings')

/** Asks the model one tiny question; with settings that need not be saved yet. */
export const testModelSettings = (body: GivenModelSettings) => request('POST /model-settings/test', { body })

/** Null where none is set up. */
export const modelSettingsOptions = queryOptions({
  queryKey: ['model settings'],
  queryFn: async ({ signal }) => (await request('GET /model-settings', { signal })).settings,
})
