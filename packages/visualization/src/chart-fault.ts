/** What is wrong with a jsxConfig, and where. Lines and columns count from 1, as editors do. */
export class ChartFault extends Error {
  readonly problem: string
  readonly line: number | null
  readonly column: number | null

  constructor(problem: string, place?: { line: number; column: number }) {
    const where = place ? `${problem} (line ${place.line}, column ${place.column})` : problem
    super(`The chart's jsxConfig ${where}.`)
    this.name = 'ChartFault'
    this.problem = where
    this.line = place?.line ?? null
    this.column = place?.column ?? null
  }
}

/** Throws a fault at a node of the parsed text, or for the whole. The parser's columns count from 0. */
export function refuse(
  problem: string,
  node?: { loc?: { start: { line: number; column: number } } | null | undefined },
): never {
  const start = node?.loc?.start
  throw new ChartFault(problem, start && { line: start.line, column: start.column + 1 })
}
