import { type Decimal, readDecimal } from '@querypost/answers'

/** DuckDB adds whole parts and fractions separately: integers of 27 digits, so that a hundred billion of them fit into 128 bits. */
const placesMax = 27
const unitsOfOne = 10n ** BigInt(placesMax)

/** The whole part and the fraction of a number, in units of 10^-27; both have its sign. */
export type NumberParts = [whole: string, fraction: string]

/**
 * The parts of a number as JSON has it; null for `null`, which adds nothing. `not_a_number` for NaN and infinities; `out_of_range` for
 * numbers with more than 27 digits before or after the point.
 */
export function partsOf(json: string): NumberParts | null | 'not_a_number' | 'out_of_range' {
  if (json === 'null') return null
  const text = json.startsWith('"') ? json.slice(1, -1) : json
  // Most numbers are small integers.
  if (text.length <= 15 && /^-?\d+$/.test(text)) return [text, '0']
  const number = readDecimal(text)
  if (!number) return 'not_a_number'
  if (number.scale > placesMax) return 'out_of_range'
  const units = number.units * 10n ** BigInt(placesMax - number.scale)
  const whole = units / unitsOfOne
  if (whole >= unitsOfOne || whole <= -unitsOfOne) return 'out_of_range'
  return [String(whole), String(units % unitsOfOne)]
}

/** The number that summed parts stand for. */
export const numberOf = ([whole, fraction]: NumberParts): Decimal => ({ units: BigInt(whole) * unitsOfOne + BigInt(fraction), scale: placesMax })
