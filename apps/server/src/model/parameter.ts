/**
 * A *parameter* is a named, typed value that SQL refers to as `{{name}}` (a *placeholder*). Its *definition* belongs to
 * a query reference; its *value* belongs to a run.
 *
 * - A *list* is a parameter whose value is any number of elements of its type: `in ({{countries}})`.
 * - A *date range* is two days, both inclusive, which SQL refers to as `{{period.start}}` and `{{period.end}}`. Its value is text:
 *   `2026-01-01..2026-03-31`, or relative to the day of the run, such as `last 30 days`.
 * - *Options* are values to choose from. They help people choose; any other value of the type is still accepted.
 */
export const parameterTypes = ['text', 'number', 'date', 'timestamp', 'boolean', 'dateRange'] as const
export type ParameterType = (typeof parameterTypes)[number]

export interface ParameterDefinition {
  name: string
  displayName: string
  type: ParameterType
  /**
   * Always text, checked against `type`. The empty string means no default, except for a single `text`, where it is a valid default.
   * The default of a list is a JSON array: `["DE","FR"]`.
   */
  defaultValue: string
  description: string
  isList?: boolean
  options?: ParameterOptions
}

/** Either `values`, or `referenceShortId` with `valueColumn`: the values in that column of the reference's result. */
export interface ParameterOptions {
  values?: ParameterOption[]
  referenceShortId?: string
  valueColumn?: string
  /** The column with the texts to show instead of the values. */
  labelColumn?: string
  /**
   * Names of other parameters whose values narrow the options. A value goes to the parameter of that name of the options' reference; if
   * it has none, only rows with that value in the column of that name are kept. Names without a parameter are ignored.
   */
  dependsOn?: string[]
}

export interface ParameterOption {
  /** Text, checked against the parameter's type. */
  value: string
  label?: string
}

export type SingleValue = string | number | boolean

/** A value as callers give it; checked against the parameter's definition before it is rendered. */
export type ParameterValue = SingleValue | SingleValue[]

export type ParameterValues = Record<string, ParameterValue>

export const listMaxLength = 1000
