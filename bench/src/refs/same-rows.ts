/** Rows are equal if numbers are, however they are written. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return a !== null && b !== null && Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.abs(Number(b))
}

const isSameRow = (a: unknown[], b: unknown[]) => a.length === b.length && a.every((value, column) => isSame(value, b[column]))

/** Throws if there are other rows, or the same in another order. */
export function checkRows(what: string, { actual, expected }: { actual: unknown[][]; expected: unknown[][] }): void {
  const differing = actual.findIndex((row, at) => !expected[at] || !isSameRow(row, expected[at]))
  if (differing === -1 && actual.length === expected.length) return
  const at = differing === -1 ? actual.length : differing
  throw new Error(
    `The rows of ${what} differ: ${actual.length} instead of ${expected.length}; row ${at + 1} is ${JSON.stringify(actual[at])}, not ${JSON.stringify(expected[at])}`,
  )
}
