import type { CellColors, CellFormatter } from '@querypost/visualization'
import type { Field } from '../api/first-rows.ts'
import type { Bounds, Place } from './grid-selection.ts'

/** What the rows of a grid show, wherever it is scrolled to. */
export interface GridContent {
  fields: Field[]
  formats: CellFormatter[]
  colors: (CellColors | null)[]
  rowAt(index: number): unknown[]
  /** A row's number in the result, from 1. */
  numberOf(index: number): number
  /** Where columns begin, and how wide they are. */
  lefts: number[]
  widths: number[]
  gutterWidth: number
  /** Whether the first column stays in view while the others scroll. */
  isPinned: boolean
  /** What is selected. */
  bounds: Bounds | null
  active: Place | null
  /** The id of the active cell. */
  activeId: string
}
