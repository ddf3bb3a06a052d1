import { decimalText, readDecimal } from '@querypost/answers'
import { type CellFormatter, isPercent } from './cell-formatter.ts'
import type { ColumnFormat } from './column-settings.ts'
import { type Field, textOf } from './fields.ts'

/** Averages and rates have fifteen digits, more than are worth reading. Decimals and integers keep all of theirs. */
const maxFractionDigitsOfDoubles = 6
const plainNumber = /^-?\d+(?:\.(\d{1,100}))?$/

/** Small numbers would be rounded to nothing. */
const isLongDouble = (value: unknown, digits: number) =>
  typeof value === 'number' && digits > maxFractionDigitsOfDoubles && Math.abs(value) >= 0.001

/** All digits of integers and decimals: `Intl` takes a number as text and loses none of them. */
export function defaultNumberFormatter(field: Field, locale: string | undefined): CellFormatter {
  const suffix = isPercent(field) ? '%' : ''
  const fixed = fixedFormats({}, locale)
  const doubles = new Intl.NumberFormat(locale, { maximumFractionDigits: maxFractionDigitsOfDoubles })
  return (value) => {
    const text = textOf(field, value)
    if (text === null) return null
    const places = plainNumber.exec(text)
    if (!places) return `${text}${suffix}`
    const digits = places[1]?.length ?? 0
    return `${(isLongDouble(value, digits) ? doubles : fixed(digits)).format(text as `${number}`)}${suffix}`
  }
}

/** Values that are not numbers are shown as they are. */
export function styledNumberFormatter(field: Field, format: ColumnFormat, locale: string | undefined): CellFormatter {
  const { decimals } = format
  const base = optionsOf(format)
  const fixed = fixedFormats(base, locale)
  const compact = new Intl.NumberFormat(locale, { ...base, notation: 'compact', maximumFractionDigits: decimals ?? 1 })
  const currency = new Intl.NumberFormat(locale, base)
  const doubles = new Intl.NumberFormat(locale, { ...base, maximumFractionDigits: maxFractionDigitsOfDoubles })
  const shift = format.style === 'percent' && format.isFraction === true ? 2 : 0
  const suffix = suffixOf(format)

  return (value) => {
    const number = readDecimal(value)
    if (!number) return textOf(field, value)
    const exact = decimalText(number)
    const shifted = (shift === 0 ? exact : decimalText({ units: number.units * 100n, scale: number.scale })) as `${number}`
    if (format.isCompact) return compact.format(shifted) + suffix
    if (decimals !== undefined) return fixed(decimals).format(shifted) + suffix
    if (format.style === 'currency') return currency.format(shifted)
    // A decimal column has as many digits in every row, so that they line up: 1.50, not 1.5.
    const written = typeof value === 'string' && plainNumber.test(value) && shift === 0 ? value : shifted
    const digits = Math.min(100, written.split('.')[1]?.length ?? 0)
    return (isLongDouble(value, digits) ? doubles : fixed(digits)).format(shifted) + suffix
  }
}

function optionsOf({ style, currency, isGrouped = true }: ColumnFormat): Intl.NumberFormatOptions {
  return {
    useGrouping: isGrouped,
    // A small negative number may round to zero, which has no sign.
    signDisplay: 'negative',
    ...(style === 'currency' && currency !== undefined && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  }
}

/** A word is set off by a space; a sign such as ° or a unit that brings its own space is not. */
function suffixOf({ style, unit = '' }: ColumnFormat): string {
  if (style === 'percent') return '%'
  if (style !== 'unit') return ''
  return /^\p{L}/u.test(unit) ? `\u00A0${unit}` : unit
}

function fixedFormats(base: Intl.NumberFormatOptions, locale: string | undefined): (digits: number) => Intl.NumberFormat {
  const formats = new Map<number, Intl.NumberFormat>()
  return (digits) => {
    const known = formats.get(digits)
    if (known) return known
    const made = new Intl.NumberFormat(locale, { ...base, minimumFractionDigits: digits, maximumFractionDigits: digits })
    formats.set(digits, made)
    return made
  }
}
