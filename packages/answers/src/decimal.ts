/**
 * Exact decimal numbers: `units` / 10^`scale`. Sums of money must not depend on row order, and integers beyond 2^53 must not lose
 * digits. A floating-point number is read as the shortest decimal that represents it, which is what people see.
 */
export interface Decimal {
  units: bigint
  scale: number
}

export const zero: Decimal = { units: 0n, scale: 0 }

/** Longer numbers are not meaningful to a reader. Floating-point numbers have up to 324 places. */
const maxPlaces = 400

/** Reads a number as results hold it: a JSON number, or text where JSON would lose digits. Undefined for anything else, including NaN. */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 }
    return Number.isFinite(value) ? readText(String(value)) : undefined
  }
  return typeof value === 'string' && value.length <= maxPlaces ? readText(value) : undefined
}

function readText(text: string): Decimal | undefined {
  const found = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > maxPlaces) return undefined
  const digits = BigInt(whole + fraction)
  const units = sign === '-' ? -digits : digits
  return scale >= 0 ? shortest({ units, scale }) : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** Without trailing zeros, so that equal numbers have equal representations. */
function shortest({ units, scale }: Decimal): Decimal {
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n
    scale--
  }
  return { units, scale }
}

function atScale(number: Decimal, scale: number): bigint {
  return number.units * 10n ** BigInt(scale - number.scale)
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return shortest({ units: atScale(a, scale) + atScale(b, scale), scale })
}

export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale })
export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negate(b))
export const absolute = (a: Decimal): Decimal => (a.units < 0n ? negate(a) : a)
export const signOf = ({ units }: Decimal): -1 | 0 | 1 => (units > 0n ? 1 : units < 0n ? -1 : 0)
export const compare = (a: Decimal, b: Decimal): -1 | 0 | 1 => signOf(subtract(a, b))

/** For statistics only; displayed figures come from the exact number. */
export const approximate = (number: Decimal): number => Number(decimalText(number))

export function decimalText(number: Decimal): string {
  const { units, scale } = shortest(number)
  if (scale === 0) return units.toString()
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/**
 * The change in percent, computed exactly and then rounded to one place, halves away from zero. Null where a percentage is
 * meaningless: from zero, or across it.
 */
export function percentChange(from: Decimal, to: Decimal): Decimal | null {
  if (signOf(from) === 0 || signOf(from) * signOf(to) < 0) return null
  const scale = Math.max(from.scale, to.scale)
  const base = atScale(absolute(from), scale)
  const difference = atScale(subtract(to, from), scale)
  const halves = (2n * 1000n * difference) / base
  const rounded = (halves + (halves < 0n ? -1n : 1n)) / 2n
  return shortest({ units: rounded, scale: 1 })
}

/** The share of a whole in percent, rounded to one place; null where that is meaningless. */
export function percentOf(part: Decimal, whole: Decimal): Decimal | null {
  if (signOf(part) < 0 || signOf(whole) <= 0) return null
  const scale = Math.max(part.scale, whole.scale)
  const halves = (2000n * atScale(part, scale)) / atScale(whole, scale)
  return shortest({ units: (halves + 1n) / 2n, scale: 1 })
}

/** The quotient rounded to `places`, halves away from zero. The divisor must not be zero. */
export function divide(a: Decimal, b: Decimal, places: number): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const [dividend, divisor] = [atScale(a, scale), atScale(b, scale)]
  const isNegative = dividend < 0n !== divisor < 0n
  const size = (dividend < 0n ? -dividend : dividend) * 10n ** BigInt(places)
  const by = divisor < 0n ? -divisor : divisor
  const rounded = (2n * size + by) / (2n * by)
  return shortest({ units: isNegative ? -rounded : rounded, scale: places })
}

/** The number rounded to so many significant digits, halves away from zero. */
export function roundToDigits(number: Decimal, digits: number): Decimal {
  const excess = absolute(number).units.toString().length - digits
  if (excess <= 0) return number
  const factor = 10n ** BigInt(excess)
  const units = divide({ units: number.units, scale: 0 }, { units: factor, scale: 0 }, 0).units
  const scale = number.scale - excess
  return scale >= 0 ? shortest({ units, scale }) : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** Whether the change is less than one percent of the original value. */
export function isAlmostEqual(from: Decimal, to: Decimal): boolean {
  const difference = absolute(subtract(to, from))
  if (signOf(difference) === 0) return true
  return compare({ units: difference.units * 100n, scale: difference.scale }, absolute(from)) < 0
}

/** Adds up many numbers. Most are small integers, which take a fast path. */
export function makeSum() {
  let total = zero
  let gathered = 0
  let count = 0
  function flush() {
    total = add(total, { units: BigInt(gathered), scale: 0 })
    gathered = 0
  }
  return {
    add(value: unknown) {
      if (typeof value === 'number' && Number.isSafeInteger(value)) {
        if (!Number.isSafeInteger(gathered + value)) flush()
        gathered += value
        count++
        return
      }
      const number = readDecimal(value)
      if (!number) return
      total = add(total, number)
      count++
    },
    /** Null when no number was added. */
    total(): Decimal | null {
      flush()
      return count > 0 ? total : null
    },
  }
}
