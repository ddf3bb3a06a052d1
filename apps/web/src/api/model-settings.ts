import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type Provider = 'openai_compatible' | 'anthropic'

/** The model that the organization's agents ask. Its key never comes back. */
export interface ModelSettings {
  provider: Provider
  baseUrl: string
  model: string
  hasApiKey: boolean
  updatedAt: string
}

export interface GivenModelSettings {
  provider: Provider
  baseUrl?: string
  model: string
  /** Left out: the stored one is kept. Null removes it. */
  apiKey?: string | null
}

export type ModelTest = { ok: true; durationMs: number; reply: string } | { ok: false; message: string }

/** Null where none is set up. */
export const getModelSettings = async (signal?: AbortSignal) =>
  (await request<{ settings: ModelSettings | null }>('/model-settings', { ...(signal && { signal }) })).settings

export const saveModelSettings = (settings: GivenModelSettings) =>
  request<unknown>('/model-settings', { method: 'PUT', body: settings })

export const removeModelSettings = () => request<void>('/model-settings', { method: 'DELETE' })

/** Asks the model one tiny question; with settings that need not be saved yet. */
export const testModelSettings = (settings: GivenModelSettings) =>
  request<ModelTest>('/model-settings/test', { method: 'POST', body: settings })

export const modelSettingsOptions = queryOptions({
  queryKey: ['model settings'],
  queryFn: ({ signal }) => getModelSettings(signal),
})
