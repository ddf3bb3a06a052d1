export interface Shortcuts {
  title: string
  keys: { combination: string[]; action: string }[]
}

/** The keyboard shortcuts of all pages. `mod` is the key that is Command on a Mac and Control elsewhere. */
export const shortcuts = (mod: string): Shortcuts[] => [
  {
    title: 'Everywhere',
    keys: [
      { combination: [mod, 'K'], action: 'Go to a page or query, or ask' },
      { combination: ['?'], action: 'Show keyboard shortcuts' },
    ],
  },
  {
    title: 'Queries',
    keys: [
      { combination: ['/'], action: 'Search queries' },
      { combination: ['N'], action: 'New query' },
      { combination: ['J', 'K'], action: 'Next, previous query' },
      { combination: ['Enter'], action: 'Open query' },
      { combination: ['X'], action: 'Select query, with Shift several' },
    ],
  },
  {
    title: 'Board editor',
    keys: [
      { combination: ['←', '↑', '↓', '→'], action: 'Move tile' },
      { combination: ['Shift', '←↑↓→'], action: 'Resize tile' },
      { combination: ['Enter'], action: 'Tile settings' },
      { combination: ['Delete'], action: 'Remove tile' },
      { combination: [mod, 'Z'], action: 'Undo' },
      { combination: [mod, 'Shift', 'Z'], action: 'Redo' },
    ],
  },
  {
    title: 'SQL editor',
    keys: [
      { combination: [mod, 'Enter'], action: 'Run query, or selected text' },
      { combination: [mod, 'S'], action: 'Save query' },
      { combination: ['Shift', 'Alt', 'F'], action: 'Format SQL' },
      { combination: [mod, 'F'], action: 'Find in SQL' },
      { combination: [mod, '/'], action: 'Comment line' },
      { combination: ['Esc', 'Tab'], action: 'Leave editor' },
    ],
  },
  {
    title: 'Result table',
    keys: [
      { combination: ['←', '↑', '↓', '→'], action: 'Move between cells' },
      { combination: ['Shift', '←↑↓→'], action: 'Select several cells' },
      { combination: [mod, 'C'], action: 'Copy selected cells' },
      { combination: [mod, 'Space'], action: 'Select column' },
      { combination: ['Enter'], action: 'Open value, sort column' },
      { combination: ['Alt', '← →'], action: 'Resize column' },
    ],
  },
]
