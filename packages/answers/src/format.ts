import type { Unit } from './classify-columns.ts'
import { absolute, compare, type Decimal, decimalText, signOf } from './decimal.ts'

/** Number formatting: fixed rules, the same on every machine. */
const formats = {
  whole: new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }),
  cents: new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }),
  money: new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  small: new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, maximumFractionDigits: 20 }),
  digit: new Intl.NumberFormat('en-US', { maximumSignificantDigits: 1, maximumFractionDigits: 20 }),
  tiny: new Intl.NumberFormat('en-US', { notation: 'scientific', maximumSignificantDigits: 3 }),
  percent: new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }),
}

const [one, thousand] = [1n, 1000n].map((units): Decimal => ({ units, scale: 0 })) as [Decimal, Decimal]
const thousandth: Decimal = { units: 1n, scale: 3 }
const halfHundredth: Decimal = { units: 5n, scale: 3 }
/** Nobody counts more digits than this. */
const maxDigits = 30

/**
 * From 1,000 without decimals; below that with up to two; below one with three significant digits. Integers are always whole. Percentages
 * and points have at most two decimals, unless these would show zero.
 */
export function numberText(number: Decimal, unit: Unit = '', { isPercentage = unit === '%' } = {}): string {
  const size = absolute(number)
  // Intl takes the exact text of a number, however many digits it has.
  const text = decimalText(number) as `${number}`
  const isMoney = unit !== '' && unit !== '%'
  let shown: string
  if (size.units.toString().length - size.scale > maxDigits) shown = formats.tiny.format(text)
  else if (compare(size, thousand) >= 0) shown = formats.whole.format(text)
  else if (isPercentage && compare(size, thousandth) >= 0) shown = (compare(size, halfHundredth) >= 0 ? formats.cents : formats.digit).format(text)
  else if (compare(size, one) >= 0 || size.units === 0n) {
    shown = (isMoney && number.scale > 0 ? formats.money : formats.cents).format(text)
  } else shown = (compare(size, thousandth) >= 0 ? formats.small : formats.tiny).format(text)
  return withUnit(shown.replace('-', '−'), unit)
}

function withUnit(shown: string, unit: Unit): string {
  if (unit === '') return shown
  if (unit === '%') return `${shown}%`
  return shown.startsWith('−') ? `−${unit} ${shown.slice(1)}` : `${unit} ${shown}`
}

/** With its sign: "+40,123". */
export function differenceText(difference: Decimal, unit: Unit = '', options: { isPercentage?: boolean } = {}): string {
  const text = numberText(difference, unit, options)
  return signOf(difference) > 0 ? `+${text}` : text
}

/** "12.3%", without a sign; "less than 0.1%" where rounding would hide the change. */
export function percentText(percent: Decimal): string {
  if (signOf(percent) === 0) return 'less than 0.1%'
  return `${formats.percent.format(decimalText(absolute(percent)) as `${number}`)}%`
}

export const countText = (count: number): string => formats.whole.format(count)

/** "1 row", "12 rows". */
export const counted = (count: number, noun: string): string => `${countText(count)} ${noun}${count === 1 ? '' : 's'}`

/** One line without control and format characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()

/** Text without markup: characters that Markdown gives a meaning are escaped. A colon, an at sign or "www." could start a link. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~&:@]|(?<=www)\./gi, '\\$&')
