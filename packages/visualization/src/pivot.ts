import { type CellColors, cellColors } from './cell-colors.ts'
import type { CellFormatter } from './cell-formatter.ts'
import { columnTitle, findSettings, type TotalKind } from './column-settings.ts'
import { type Column, findColumn } from './columns.ts'
import type { Field } from './fields.ts'
import { formatter } from './format.ts'
import type { PivotConfig } from './pivot-config.ts'
import { ancestorAt, type Group, type Grouping, type GroupingInput, leavesOf, makeGroupTree, readGroupings, sortGroups } from './pivot-groups.ts'
import { type Aggregate, makeAggregate } from './totals.ts'

/**
 * A pivot table, ready to show: groups of rows down the side, groups across the top, and a value for each combination. Subtotals and
 * totals are computed from the rows of the result, not from the cells, so that averages are right. Sums are exact.
 */
export interface PivotTable {
  /** The titles of the columns that hold the labels of the lines. */
  labelTitles: string[]
  /** From the top down. Each level spans all columns of values. */
  headers: PivotHeader[][]
  lines: PivotLine[]
  /** What was left out. */
  notes: string[]
  /** Why the table can't be shown, and what to do. */
  problems: string[]
}

export interface PivotHeader {
  text: string
  span: number
  isTotal: boolean
}

export interface PivotLine {
  kind: 'row' | 'subtotal' | 'total'
  /** One for each label column. */
  labels: PivotLabel[]
  cells: PivotCell[]
}

export interface PivotLabel {
  text: string
  /** Whether the line above has the same label. */
  isRepeated: boolean
}

export interface PivotCell {
  /** Empty if the combination has no rows. */
  text: string
  color: string | null
  isTotal: boolean
}

export interface PivotInput extends GroupingInput {
  config: PivotConfig
  /** Smaller for images. */
  limits?: PivotLimits
}

export interface PivotLimits {
  lines: number
  columns: number
}

export const pivotLimits: PivotLimits = { lines: 1000, columns: 100 }

export function pivot(input: PivotInput): PivotTable {
  const { fields, config, limits = pivotLimits } = input
  const problems = problemsOf(fields, config)
  if (problems.length > 0) return { labelTitles: [], headers: [], lines: [], notes: [], problems }
  const downBy = readGroupings(config.rows, input)
  const acrossBy = readGroupings(config.columns, input)
  const values = readValues(input)
  const [down, across] = [makeGroupTree(downBy), makeGroupTree(acrossBy)]
  const cells = makeCells(values)
  for (const row of input.rows) {
    cells.add(down.groupOf(row), across.groupOf(row), row)
  }
  sortGroups(down.root, downBy, (group) => cells.result(group, across.root, 0))
  sortGroups(across.root, acrossBy, (group) => cells.result(down.root, group, 0))
  const allLeaves = leavesOf(across.root)
  const leaves = allLeaves.slice(0, limits.columns)
  const allLines = readLines(down.root, downBy.length)
  const lines = allLines.length > limits.lines ? [...allLines.slice(0, limits.lines - 1), allLines.at(-1)!] : allLines
  const hasTotalColumn = allLeaves.length > 1
  const colors = values.map((value, at) => colorsOf(value, { at, lines: allLines, leaves: allLeaves, cells }))

  function cellsOf({ group, kind }: Line): PivotCell[] {
    return [...leaves, ...(hasTotalColumn ? [across.root] : [])].flatMap((column) =>
      values.map(({ format }, at) => {
        const result = cells.result(group, column, at)
        const isTotal = kind !== 'row' || (hasTotalColumn && column === across.root)
        return { text: result === null ? '' : (format(result) ?? ''), color: isTotal ? null : colors[at]!(result), isTotal }
      }),
    )
  }

  return {
    labelTitles: downBy.map(({ title }) => title),
    headers: readHeaders({ leaves, acrossBy, values, hasTotalColumn }),
    lines: lines.map((line) => ({ kind: line.kind, labels: line.labels, cells: cellsOf(line) })),
    notes: notesOf({ lines: allLines.length, columns: allLeaves.length }, limits),
    problems: [],
  }
}

function problemsOf(fields: readonly Field[], { rows, columns, values }: PivotConfig): string[] {
  const keys = [...rows, ...columns, ...values.map(({ key }) => key)]
  const missing = keys.filter((key) => !findColumn(fields, key)).map((key) => `The result has no column “${key}”. Choose another.`)
  if (missing.length > 0) return [...new Set(missing)]
  if (rows.length + columns.length === 0) return ['Choose a column to group by.']
  return values.length === 0 ? ['Choose a column of values.'] : []
}

interface Value {
  column: Column
  aggregate: TotalKind
  title: string
  format: CellFormatter
  colorsOf(results: (string | null)[]): CellColors
}

const countFormat = { format: { style: 'number' } } as const
const aggregateNames: { [kind in TotalKind]: string } = { sum: 'Sum', average: 'Average', min: 'Min', max: 'Max', count: 'Count' }

function readValues({ fields, columns, config, locale }: PivotInput): Value[] {
  return config.values.map(({ key, aggregate, name }) => {
    const column = findColumn(fields, key)!
    const settings = findSettings(columns, column.field.name)
    const title = columnTitle(column.field, settings)
    // Results are decimals, whatever the column holds.
    const field: Field = { name: column.field.name, type: 'decimal' }
    return {
      column,
      aggregate,
      title: name ?? (aggregate === 'sum' ? title : `${aggregateNames[aggregate]} of ${title}`),
      format: formatter(field, aggregate === 'count' ? countFormat : settings, locale),
      colorsOf: (results) => cellColors(field, settings?.colors ?? [], results),
    }
  })
}

/** Rows are added to the smallest groups. The larger ones are made of these when they are needed. */
interface Cells {
  add(line: Group, column: Group, row: readonly unknown[]): void
  /** Null if the combination has no rows, or none with a value. */
  result(line: Group, column: Group, value: number): string | null
}

function makeCells(values: readonly Value[]): Cells {
  const lines = new Map<Group, Map<Group, Aggregate[] | null>>()
  function cellsOf(line: Group) {
    let known = lines.get(line)
    if (!known) lines.set(line, (known = new Map<Group, Aggregate[] | null>()))
    return known
  }
  const makeAggregates = () => values.map(({ aggregate }) => makeAggregate(aggregate))
  /** Null if the combination has no rows. */
  function aggregatesOf(line: Group, column: Group): Aggregate[] | null {
    const ofLine = cellsOf(line)
    const known = ofLine.get(column)
    if (known !== undefined) return known
    const parts =
      line.children.length > 0
        ? line.children.map((child) => aggregatesOf(child, column))
        : column.children.map((child) => aggregatesOf(line, child))
    const combined = combine(parts.filter((part) => part !== null))
    ofLine.set(column, combined)
    return combined
  }
  function combine(parts: Aggregate[][]): Aggregate[] | null {
    if (parts.length === 0) return null
    const aggregates = makeAggregates()
    for (const part of parts) {
      for (const [at, aggregate] of aggregates.entries()) aggregate.absorb(part[at]!)
    }
    return aggregates
  }
  return {
    add(line, column, row) {
      const ofLine = cellsOf(line)
      let aggregates = ofLine.get(column)
      if (!aggregates) ofLine.set(column, (aggregates = makeAggregates()))
      for (const [at, value] of values.entries()) aggregates[at]!.add(value.column.valueIn(row))
    },
    result: (line, column, value) => aggregatesOf(line, column)?.[value]?.result() ?? null,
  }
}

/** Only the cells themselves are colored: next to totals, a scale would show nothing else. */
function colorsOf(value: Value, { at, lines, leaves, cells }: { at: number; lines: Line[]; leaves: Group[]; cells: Cells }): CellColors {
  const rows = lines.filter(({ kind }) => kind === 'row')
  return value.colorsOf(rows.flatMap(({ group }) => leaves.map((leaf) => cells.result(group, leaf, at))))
}

interface Line extends Omit<PivotLine, 'cells'> {
  group: Group
}

function readLines(root: Group, depth: number): Line[] {
  const lines: Line[] = []
  let above: Group | null = null
  function labelsOf(group: Group): PivotLabel[] {
    return Array.from({ length: group.depth }, (_, at) => {
      const { label } = ancestorAt(group, at + 1)
      const isRepeated: boolean = above !== null && above.depth > at && ancestorAt(above, at + 1) === ancestorAt(group, at + 1)
      return { text: label, isRepeated }
    })
  }
  function addTotal(group: Group, kind: 'subtotal' | 'total') {
    const rest = Array.from({ length: Math.max(0, depth - group.depth - 1) }, () => ({ text: '', isRepeated: false }))
    lines.push({ kind, group, labels: [...labelsOf(group), { text: 'Total', isRepeated: false }, ...rest] })
  }
  function walk(group: Group) {
    if (group.depth === depth) {
      lines.push({ kind: 'row', group, labels: labelsOf(group) })
      above = group
      return
    }
    for (const child of group.children) walk(child)
    if (group.children.length > 1) addTotal(group, group === root ? 'total' : 'subtotal')
  }
  walk(root)
  return lines
}

function readHeaders(options: { leaves: Group[]; acrossBy: Grouping[]; values: Value[]; hasTotalColumn: boolean }): PivotHeader[][] {
  const { leaves, acrossBy, values, hasTotalColumn } = options
  const levels = acrossBy.map((_, at) => {
    const headers = spans(leaves.map((leaf) => ancestorAt(leaf, at + 1)), values.length)
    return hasTotalColumn ? [...headers, { text: at === 0 ? 'Total' : '', span: values.length, isTotal: true }] : headers
  })
  // A single value needs no name of its own below a group's.
  if (values.length === 1 && acrossBy.length > 0) return levels
  const groups = [...leaves.map(() => false), ...(hasTotalColumn ? [true] : [])]
  return [...levels, groups.flatMap((isTotal) => values.map(({ title }) => ({ text: title, span: 1, isTotal })))]
}

function spans(groups: Group[], width: number): PivotHeader[] {
  const headers: PivotHeader[] = []
  for (const [at, group] of groups.entries()) {
    if (group === groups[at - 1]) headers.at(-1)!.span += width
    else headers.push({ text: group.label, span: width, isTotal: false })
  }
  return headers
}

const number = new Intl.NumberFormat('en')

function notesOf(found: PivotLimits, limits: PivotLimits): string[] {
  const note = (what: 'lines' | 'columns') =>
    found[what] > limits[what]
      ? [`Showing ${number.format(limits[what])} of ${number.format(found[what])} ${what}. Totals include all of them.`]
      : []
  return [...note('lines'), ...note('columns')]
}
