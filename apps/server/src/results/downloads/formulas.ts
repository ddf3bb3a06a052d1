/**
 * Prevents CSV injection. Excel, LibreOffice and Google Sheets treat a CSV cell as a formula when it begins with `=`, `+`,
 * `-` or `@` (or their full-width forms in East Asian locales), quoted or not, and skip a leading tab or line break. A
 * formula can send the contents of other cells elsewhere or start programs.
 *
 * So such text gets an apostrophe in front, which makes it text in every spreadsheet. Text that begins with apostrophes
 * followed by a formula gets one more. This keeps the escape unambiguous: removing one apostrophe undoes it (`'=` → `=`).
 * Plain numbers such as `-5` and `+49` are not formulas and stay unchanged.
 */
const formula = /^'*[\t\r\n ]*[=+\-@＝＋－＠]|^'*[\t\r\n]/
const plainNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** Whether a spreadsheet would read this text as a formula. */
export const startsFormula = (text: string): boolean => formula.test(text) && !plainNumber.test(text)

export const withoutFormula = (text: string): string => (startsFormula(text) ? `'${text}` : text)
