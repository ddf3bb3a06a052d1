import { checkProof, type Figure, type StoredResult } from '@querypost/answers'
import type { Field } from '../../src/model/result.ts'

/** Computes the figures of a digest again, and returns those that differ or are not where they say. */
export function findWrongFigures(
  { summary, figures }: { summary: string; figures: Figure[] },
  results: Record<string, { fields: Field[]; rows: unknown[][] }>,
): string[] {
  const stored = Object.entries(results).map(([runId, result]): [string, StoredResult] => [
    runId,
    { runId, ...result, parameters: {}, title: null },
  ])
  const proof = {
    text: summary,
    figures: figures.map(({ id, text, value, unit, runId, expression }) => ({
      id,
      text,
      value: value!,
      unit: unit!,
      runId: runId!,
      expression: expression!,
      sql: '',
      parameters: {},
      resultHash: '',
    })),
  }
  const check = checkProof(proof, new Map(stored))
  return figures.flatMap(({ text, expression, start, end }, at) => {
    const { problem } = check.figures[at]!
    const isInPlace = summary.slice(start, end) === text
    return problem === null && isInPlace ? [] : [`${text} = ${expression}: ${problem ?? `is not at ${start}`}`]
  })
}
