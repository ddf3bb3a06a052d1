/** The size of the largest key that is looked for, and the number of columns that are considered for keys of several columns. */
const keyColumnsMax = 3
const columnsForKeys = 10

/**
 * The smallest set of columns whose values are unique on both sides; of several, the first in the order of the columns. Undefined if there is
 * none. Sets that cannot be unique, because their columns have too few distinct values, are not counted.
 */
export async function findKey(options: {
  candidates: number[]
  rowCounts: number[]
  /** The number of distinct values on each side. */
  countDistinct(columns: number[]): Promise<number[]>
}): Promise<number[] | undefined> {
  const { candidates, rowCounts } = options
  const isUnique = (counts: number[]) => counts.every((count, side) => count === rowCounts[side])
  const distinct = new Map<number, number[]>()
  for (const column of candidates) {
    const counts = await options.countDistinct([column])
    if (isUnique(counts)) return [column]
    distinct.set(column, counts)
  }
  const considered = candidates.slice(0, columnsForKeys)
  for (let size = 2; size <= keyColumnsMax; size++) {
    for (const columns of subsets(considered, size)) {
      const canBeUnique = rowCounts.every(
        (rowCount, side) => columns.reduce((product, column) => product * distinct.get(column)![side]!, 1) >= rowCount,
      )
      if (canBeUnique && isUnique(await options.countDistinct(columns))) return columns
    }
  }
  return undefined
}

/** All subsets of a size, in lexicographic order. */
export function* subsets<Value>(values: Value[], size: number): Generator<Value[]> {
  if (size === 0) yield []
  for (let first = 0; first <= values.length - size && size > 0; first++) {
    for (const rest of subsets(values.slice(first + 1), size - 1)) yield [values[first]!, ...rest]
  }
}
