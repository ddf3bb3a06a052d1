import { compare, readDecimal } from '@querypost/answers'
import type { CellFormatter } from './cell-formatter.ts'
import { type ColumnSettings, columnTitle, findSettings } from './column-settings.ts'
import { type Column, findColumn } from './columns.ts'
import { type Field, isNumeric, isTime } from './fields.ts'
import { formatter } from './format.ts'

/** A column that a pivot table groups by. */
export interface Grouping {
  column: Column
  title: string
  format: CellFormatter
}

/** Rows with the same values in the first `depth` groupings. The group of all rows has depth 0. */
export interface Group {
  depth: number
  value: unknown
  label: string
  parent: Group | null
  children: Group[]
}

export interface GroupTree {
  root: Group
  /** The smallest group of a row. New ones are added. */
  groupOf(row: readonly unknown[]): Group
}

export interface GroupingInput {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  columns?: readonly ColumnSettings[]
  locale?: string
}

export function readGroupings(keys: readonly string[], { fields, rows, columns, locale }: GroupingInput): Grouping[] {
  return keys.map((key) => {
    const column = findColumn(fields, key)!
    const settings = findSettings(columns, column.field.name)
    const values = isTime(column.field) || settings?.format ? rows.map((row) => column.valueIn(row)) : []
    return { column, title: columnTitle(column.field, settings), format: formatter(column.field, settings, locale, values) }
  })
}

export function makeGroupTree(groupings: readonly Grouping[]): GroupTree {
  const root: Group = { depth: 0, value: null, label: '', parent: null, children: [] }
  const known = new Map<Group, Map<unknown, Group>>()
  function childOf(parent: Group, { column, format }: Grouping, row: readonly unknown[]): Group {
    const value = column.valueIn(row) ?? null
    const key = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    let children = known.get(parent)
    if (!children) known.set(parent, (children = new Map()))
    const found = children.get(key)
    if (found) return found
    const made: Group = { depth: parent.depth + 1, value, label: format(value) ?? 'null', parent, children: [] }
    children.set(key, made)
    parent.children.push(made)
    return made
  }
  return {
    root,
    groupOf(row) {
      let group = root
      for (const grouping of groupings) group = childOf(group, grouping, row)
      return group
    },
  }
}

/** Times and numbers in their order, texts by their total, largest first. Null comes last. */
export function sortGroups(root: Group, groupings: readonly Grouping[], totalOf: (group: Group) => string | null): void {
  const grouping = groupings[root.depth]
  if (!grouping) return
  const { field } = grouping.column
  const byValue = isNumeric(field) ? compareNumbers : isTime(field) ? compareTexts : undefined
  const order = (a: Group, b: Group) =>
    byValue ? byValue(a.value, b.value) : compareNumbers(totalOf(b), totalOf(a)) || compareTexts(a.label, b.label)
  root.children.sort((a, b) => Number(a.value === null) - Number(b.value === null) || order(a, b))
  for (const child of root.children) sortGroups(child, groupings, totalOf)
}

function compareNumbers(a: unknown, b: unknown): number {
  const [first, second] = [readDecimal(a), readDecimal(b)]
  return first && second ? compare(first, second) : Number(first !== undefined) - Number(second !== undefined)
}

function compareTexts(a: unknown, b: unknown): number {
  const [first, second] = [String(a), String(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

export const leavesOf = (group: Group): Group[] => (group.children.length === 0 ? [group] : group.children.flatMap(leavesOf))

/** The group of the given depth that contains this one. */
export function ancestorAt(group: Group, depth: number): Group {
  let found = group
  while (found.depth > depth) found = found.parent!
  return found
}
