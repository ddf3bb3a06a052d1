import { decimalText, readDecimal, subtract } from '@querypost/answers'

/** The exact difference `after - before` of two numbers as JSON has them, as text. Undefined if one is not a number. */
export function numberDifference(before: string, after: string): string | undefined {
  const [one, other] = [readJson(before), readJson(after)]
  return one && other && decimalText(subtract(other, one))
}

/** A number, or a string with one where JSON would lose digits. */
const readJson = (json: string) => readDecimal(json.startsWith('"') ? json.slice(1, -1) : json)
