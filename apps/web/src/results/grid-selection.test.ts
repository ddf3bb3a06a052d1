import { describe, expect, test } from 'vitest'
import { boundsOf, cellCount, type GridKey, headerRow, selectionAfter, singleCell } from './grid-selection.ts'

const size = { rowCount: 100, columnCount: 5, pageRows: 10 }
const key = (name: string): GridKey => ({
  key: name.replace(/^(mod\+)?(shift\+)?/, ''),
  hasMod: name.includes('mod+'),
  hasShift: name.includes('shift+'),
})
const after = (row: number, column: number, name: string) => selectionAfter(singleCell({ row, column }), key(name), size)?.active

describe('moving the active cell', () => {
  test.each([
    ['ArrowDown', 3, 2, { row: 4, column: 2 }],
    ['ArrowDown', 99, 2, { row: 99, column: 2 }],
    ['ArrowUp', 0, 2, { row: headerRow, column: 2 }],
    ['ArrowUp', headerRow, 2, { row: headerRow, column: 2 }],
    ['mod+ArrowUp', 50, 2, { row: 0, column: 2 }],
    ['mod+ArrowDown', 50, 2, { row: 99, column: 2 }],
    ['ArrowLeft', 3, 0, { row: 3, column: 0 }],
    ['mod+ArrowRight', 3, 1, { row: 3, column: 4 }],
    ['Home', 3, 3, { row: 3, column: 0 }],
    ['mod+End', 3, 1, { row: 99, column: 4 }],
    ['PageDown', 95, 1, { row: 99, column: 1 }],
    ['PageUp', 4, 1, { row: 0, column: 1 }],
    ['Tab', 3, 1, undefined],
    ['c', 3, 1, undefined],
  ] as const)('%s from row %i, column %i', (name, row, column, place) => {
    expect(after(row, column, name)).toEqual(place)
  })
})

describe('extending the selection with Shift', () => {
  test('extends from the anchor and stops below the header', () => {
    let selection = singleCell({ row: 2, column: 2 })
    for (const name of ['shift+ArrowDown', 'shift+ArrowRight', 'shift+ArrowRight', 'shift+PageUp', 'shift+ArrowUp']) {
      selection = selectionAfter(selection, key(name), size)!
    }
    expect(boundsOf(selection)).toEqual({ firstRow: 0, lastRow: 2, firstColumn: 2, lastColumn: 4 })
    expect(cellCount(boundsOf(selection))).toBe(9)
  })

  test('selects a row with Shift+Space, and a column or everything with Control', () => {
    const from = singleCell({ row: 7, column: 1 })
    const bounds = (name: string) => boundsOf(selectionAfter(from, key(name), size)!)
    expect(bounds('shift+ ')).toEqual({ firstRow: 7, lastRow: 7, firstColumn: 0, lastColumn: 4 })
    expect(bounds('mod+ ')).toEqual({ firstRow: 0, lastRow: 99, firstColumn: 1, lastColumn: 1 })
    expect(bounds('mod+a')).toEqual({ firstRow: 0, lastRow: 99, firstColumn: 0, lastColumn: 4 })
  })
})
