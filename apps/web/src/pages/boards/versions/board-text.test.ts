import { expect, test } from 'vitest'
import type { BoardContent } from '../content/board-content.ts'
import { boardText } from './board-text.ts'

test('a board has one line for each setting and each tile', () => {
  const board: Omit<BoardContent, 'folderId'> = {
    title: 'Sales',
    description: null,
    tabs: [{ id: 't', title: 'Week' }],
    parameters: [{ name: 'from', displayName: 'From', type: 'number', defaultValue: '1', description: '' }],
    tiles: [
      { id: 'a', kind: 'reference', referenceShortId: 'revenue', shows: 'table', x: 0, y: 0, width: 6, height: 4, parameterMapping: { n: 'from' } },
      { id: 'b', kind: 'text', text: '# Note', tabId: 't', x: 6, y: 2, width: 6, height: 4 },
    ],
  }
  expect(boardText(board, () => 'Revenue').split('\n')).toEqual([
    'Title: Sales',
    'Tab: Week',
    'Parameter From: type: number, defaultValue: 1',
    'Revenue: column 1, row 1, 6 × 4; shows: table, parameterMapping: {"n":"from"}',
    'Note: column 7, row 3, 6 × 4, tab Week; text: # Note',
  ])
})
