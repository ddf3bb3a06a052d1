/** A result beyond the operator's limits fails its run. Results are never truncated silently. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge'
}

export interface ResultLimits {
  maxRows: number
  maxMb: number
}

/** Throws once a result being written exceeds a limit. */
export function checkResultSize(size: { rowCount: number; jsonBytes: number }, limits: ResultLimits): void {
  if (size.rowCount > limits.maxRows) {
    throw new ResultTooLarge(
      `The result has more than ${limits.maxRows} rows. Aggregate or add a LIMIT, or ask the operator to raise RESULT_MAX_ROWS.`,
    )
  }
  if (size.jsonBytes > limits.maxMb * 1024 * 1024) {
    throw new ResultTooLarge(
      `The result is larger than ${limits.maxMb} MB. Select fewer columns or rows, or ask the operator to raise RESULT_MAX_MB.`,
    )
  }
}
