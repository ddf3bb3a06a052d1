/**
 * Text that a spreadsheet would execute. Excel, LibreOffice and Google Sheets take a cell of a CSV file for a formula
 * when it begins with `=`, `+`, `-` or `@` (the full-width forms count in East Asian settings), in quotes or not; a tab
 * or a line's end in front is dropped on the way. A formula can send what stands beside it elsewhere, or start
 * programs.
 *
 * So an apostrophe goes in front, which makes it text everywhere. Text that begins with apostrophes and would be a
 * formula after them gets one more: what was done can be told from what was stored so, and undone by taking one
 * apostrophe away (`'=` → `=`). A plain number is no formula, `-5` and `+49` stay as they are.
 */
const formula = /^'*[\t\r\n ]*[=+\-@＝＋－＠]|^'*[\t\r\n]/
const plainNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

export const withoutFormula = (text: string): string =>
  formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
