import type { Field } from './fields.ts'

/**
 * How people see the columns of a result. One definition serves tables, charts, single numbers, chats, e-mails and images; the data
 * itself, copies and downloads stay as they are.
 *
 * The list sets the order of the columns. Columns that it does not name follow in the order of the result, as they are by default.
 */
export interface ColumnSettings {
  /** The column's name in the result. */
  name: string
  /** Shown instead of the name. */
  title?: string
  isHidden?: boolean
  format?: ColumnFormat
  /** The first rule that matches a cell colors it. */
  colors?: ColorRule[]
  /** The column's entry in the row of totals. By default, numbers that may be added up are summed. */
  total?: TotalKind
}

export const formatStyles = ['plain', 'number', 'currency', 'percent', 'unit', 'date'] as const
export type FormatStyle = (typeof formatStyles)[number]

export const granularities = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const
export type Granularity = (typeof granularities)[number]

export const totalKinds = ['sum', 'average', 'min', 'max', 'count'] as const
export type TotalKind = (typeof totalKinds)[number]

export interface ColumnFormat {
  style: FormatStyle
  /** A code of ISO 4217, such as EUR. */
  currency?: string
  /** Shown after the number. */
  unit?: string
  /** By default as many as the value has, or as the currency uses. */
  decimals?: number
  /** Thousands separators; on by default. */
  isGrouped?: boolean
  /** For percentages: 0.12 is shown as 12%. */
  isFraction?: boolean
  /** 1,200,000 is shown as 1.2M. */
  isCompact?: boolean
  /** For dates; by default as the values suggest. */
  granularity?: Granularity
}

export const colorConditions = ['above', 'below', 'between', 'equals', 'contains'] as const
export type ColorCondition = (typeof colorConditions)[number]

export type ColorRule =
  | { when: ColorCondition; value: string | number; to?: number; color: string }
  | { when: 'scale'; from: string; to: string }

export const columnLimits = { columns: 500, nameLength: 300, titleLength: 200, unitLength: 20, decimals: 10, rules: 20, textLength: 200 }

export function findSettings(columns: readonly ColumnSettings[] | undefined, name: string): ColumnSettings | undefined {
  return columns?.find((each) => each.name === name)
}

export const columnTitle = ({ name }: Pick<Field, 'name'>, settings?: Pick<ColumnSettings, 'title'>): string => settings?.title ?? name

/** The places of the columns in the result, in the order in which they are shown. */
export function shownColumns(fields: readonly Field[], columns: readonly ColumnSettings[] = []): number[] {
  const rank = new Map(columns.map(({ name }, at) => [name, at]))
  const rankOf = (at: number) => rank.get(fields[at]!.name) ?? columns.length
  const isShown = (at: number) => findSettings(columns, fields[at]!.name)?.isHidden !== true
  return [...fields.keys()].filter(isShown).sort((a, b) => rankOf(a) - rankOf(b) || a - b)
}
