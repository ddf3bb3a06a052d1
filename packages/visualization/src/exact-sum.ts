import { add, decimalText, readDecimal, zero } from '@querypost/answers'

export interface ExactSum {
  /** Values that are not numbers are skipped. */
  add(value: unknown): void
  /** With as many decimals as the values are written with: `1.50` and `1.50` make `3.00`. Null if nothing was added. */
  result(): string | null
}

/** Short enough for a double to hold all digits. */
const shortNumber = /^-?\d{1,13}(?:\.\d{1,2})?$/
const hundredthsMax = Number.MAX_SAFE_INTEGER / 2

/**
 * Adds up many numbers exactly. Most are short, with two decimals at most: those are added as whole hundredths, which is ten times as
 * fast as decimals of any length.
 */
export function makeExactSum(): ExactSum {
  let total = zero
  let hundredths = 0
  let [count, decimals] = [0, 0]
  function flush() {
    total = add(total, { units: BigInt(hundredths), scale: 2 })
    hundredths = 0
  }
  function addHundredths(more: number) {
    if (Math.abs(hundredths + more) > hundredthsMax) flush()
    hundredths += more
    count++
  }
  return {
    add(value) {
      if (typeof value === 'number' && isHundredths(value)) return addHundredths(Math.round(value * 100))
      if (typeof value === 'string') {
        decimals = Math.max(decimals, writtenDecimals(value))
        if (shortNumber.test(value)) return addHundredths(Math.round(Number(value) * 100))
      }
      const number = readDecimal(value)
      if (!number) return
      total = add(total, number)
      count++
    },
    result() {
      flush()
      return count === 0 ? null : padDecimals(decimalText(total), decimals)
    },
  }
}

/** Dividing shows whether a double next to it was rounded. */
function isHundredths(value: number): boolean {
  const hundredths = Math.round(value * 100)
  return Number.isSafeInteger(hundredths) && hundredths / 100 === value
}

/** How many decimals a plain number is written with. */
export function writtenDecimals(text: string): number {
  const point = text.indexOf('.')
  return point !== -1 && /^-?\d+\.\d+$/.test(text) ? text.length - point - 1 : 0
}

export function padDecimals(text: string, decimals: number): string {
  const missing = decimals - writtenDecimals(text)
  if (missing <= 0) return text
  return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(missing)}`
}

