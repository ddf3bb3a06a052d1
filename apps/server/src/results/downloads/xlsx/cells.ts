import type { Field } from '../../../model/result.ts'
import { cutText } from '../../../ports/cut-text.ts'
import { startsFormula } from '../formulas.ts'
import { unquoted } from '../download-values.ts'

/** Indexes of the formats in `styles.xml` (workbook-parts.ts). */
export const styles = { plain: 0, head: 1, date: 2, timestamp: 3, text: 4 } as const

/** What a spreadsheet keeps of a text. */
export const cellMaxCharacters = 32_767

/**
 * A value as a cell, given as JSON; null for NULL. A cell of text is never a formula, whatever it contains. Text that would become one
 * when a person edits the cell is marked as text in addition, like a leading apostrophe.
 */
export function cellOf(json: string, { type }: Field, place: string): string | null {
  if (json === 'null') return null
  const text = json.startsWith('"') && type !== 'json' ? unquoted(json) : json
  switch (type) {
    case 'integer':
    case 'number':
    case 'decimal':
      return isExact(text) ? `<c r="${place}"><v>${text}</v></c>` : textCell(text, place)
    case 'boolean':
      return text === 'true' || text === 'false' ? `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>` : textCell(text, place)
    case 'date':
      return timeCell(text, place, { form: /^\d{4}-\d\d-\d\d$/, style: styles.date })
    case 'timestamp':
      return timeCell(text, place, { form: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, style: styles.timestamp })
    case 'string':
    case 'json':
      return textCell(text, place)
  }
}

export function textCell(text: string, place: string, style?: number): string {
  const given = style ?? (startsFormula(text) ? styles.text : styles.plain)
  const styled = given === styles.plain ? '' : ` s="${given}"`
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cutText(text, cellMaxCharacters).text)}</t></is></c>`
}

/** Spreadsheets calculate with 15 digits. A longer number stays text, so that no digit is lost. */
function isExact(text: string): boolean {
  const [, digits] = /^-?(\d+(?:\.\d+)?)(?:[eE][+-]?\d{1,2})?$/.exec(text) ?? []
  return digits !== undefined && digits.replace('.', '').replaceAll(/^0+|0+$/g, '').length <= 15
}

const dayMs = 24 * 60 * 60 * 1000
/** Day 0 of spreadsheets. They count a day that did not exist, Feb 29, 1900, so earlier dates stay text. */
const epochMs = Date.UTC(1899, 11, 30)
const firstMs = Date.UTC(1900, 2, 1)

function timeCell(text: string, place: string, { form, style }: { form: RegExp; style: number }): string {
  const timeMs = form.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(timeMs) || timeMs < firstMs) return textCell(text, place)
  return `<c r="${place}" s="${style}"><v>${(timeMs - epochMs) / dayMs}</v></c>`
}

/** Removes characters that XML cannot contain. Excel reads `_x0041_` as "A", so such text gets its first underscore encoded. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]|[\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** "A" for 0, "AB" for 27. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest === 0 ? '' : columnLetters(rest - 1)) + String.fromCharCode(65 + (index % 26))
}
