/**
 * A *parameter* is a named, typed value that SQL refers to as `{{name}}` (a *placeholder*). Its *definition* belongs to
 * a query reference; its *value* belongs to a run.
 */
export const parameterTypes = ['text', 'number', 'date', 'timestamp', 'boolean'] as const
export type ParameterType = (typeof parameterTypes)[number]

export interface ParameterDefinition {
  name: string
  displayName: string
  type: ParameterType
  /** Always text, checked against `type`. The empty string means no default, except for `text`, where it is a valid default. */
  defaultValue: string
  description: string
}

/** A value as callers give it; checked against the parameter's type before it is rendered. */
export type ParameterValue = string | number | boolean

export type ParameterValues = Record<string, ParameterValue>
