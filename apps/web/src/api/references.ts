import { type Page, pageAddress, type PageOptions } from './pages.ts'
import { request } from './request.ts'
import type { ParameterValues, Run } from './runs.ts'

export interface Reference {
  id: string
  shortId: string
  title: string
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  createdBy: string
  createdAt: string
  updatedAt: string
  currentQuery: { id: string; sql: string }
}

export interface ParameterDefinition {
  name: string
  displayName: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'
  /** The empty string means: no default, except for `text` where it is one. */
  defaultValue: string
  description: string
}

export interface Visualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie'
  jsxConfig: string
  marginConfig: { top: number; right: number; bottom: number; left: number }
}

export interface ReferenceInFull extends Reference {
  visualization?: Visualization
  parameters: ParameterDefinition[]
}

export const listReferences = ({ signal, ...page }: PageOptions = {}) =>
  request<Page<Reference>>(pageAddress('/references', page), { ...(signal && { signal }) })

export const getReference = (shortId: string, signal: AbortSignal) =>
  request<ReferenceInFull>(`/references/${encodeURIComponent(shortId)}`, { signal })

export const runReference = (shortId: string, parameterValues: ParameterValues) =>
  request<Run>(`/references/${encodeURIComponent(shortId)}/runs`, { method: 'POST', body: { parameterValues } })
