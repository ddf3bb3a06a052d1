import type { StoredResult } from './draft.ts'
import { computeFigures } from './expressions/compute-figure.ts'
import { ExpressionError } from './expressions/expression.ts'
import { parseExpression } from './expressions/parse-placeholder.ts'

/** An answer with its proof, as `GET …/proof` returns it. */
export interface Proof {
  text: string
  figures: ProofFigure[]
}

export interface ProofFigure {
  id: string
  text: string
  value: string
  unit: string
  runId: string
  sql: string
  parameters: Record<string, unknown>
  /** As the `ETag` of the run's result names it. */
  resultHash: string
  expression: string
  /** The other runs of a figure that compares several. */
  sources?: { runId: string; sql: string; parameters: Record<string, unknown>; resultHash: string }[]
}

/** A downloaded result, with the hash of its bytes if it is known. */
export interface DownloadedResult extends StoredResult {
  resultHash?: string
}

export interface ProofCheck {
  isProven: boolean
  /** One for each figure, in the proof's order. */
  figures: { id: string; isProven: boolean; problem: string | null }[]
  /** Runs whose results were not given. */
  missingRunIds: string[]
}

/** Recomputes every figure of a proof from results, without a service. `results` are by run id. */
export function checkProof(proof: Proof, results: ReadonlyMap<string, DownloadedResult>): ProofCheck {
  const figures = proof.figures.map((figure) => {
    const problem = problemOf(figure, results)
    return { id: figure.id, isProven: problem === null, problem }
  })
  const runIds = proof.figures.flatMap(({ runId, sources = [] }) => [runId, ...sources.map((source) => source.runId)])
  const missingRunIds = [...new Set(runIds)].filter((runId) => !results.has(runId))
  return { isProven: figures.every(({ isProven }) => isProven), figures, missingRunIds }
}

function problemOf(figure: ProofFigure, results: ReadonlyMap<string, DownloadedResult>): string | null {
  for (const { runId, resultHash } of [figure, ...(figure.sources ?? [])]) {
    const result = results.get(runId)
    if (!result) return `The result of ${runId} is missing.`
    if (result.resultHash !== undefined && bareHash(result.resultHash) !== bareHash(resultHash)) return `The result of ${runId} is not the one that the proof names.`
  }
  try {
    const { expression, style } = parseExpression(figure.expression)
    const [computed] = computeFigures([{ source: figure.runId, expression, style }], results)
    if ('problem' in computed!) return computed.problem
    const { text, value, unit } = computed!
    if (value !== figure.value) return `The value is ${value}, not ${figure.value}.`
    if (unit !== figure.unit) return `The unit is "${unit}", not "${figure.unit}".`
    return text === figure.text ? null : `It prints as "${text}", not as "${figure.text}".`
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** An ETag may be quoted, and weak if the result was compressed on the way. */
const bareHash = (hash: string) => hash.replace(/^W\//, '').replaceAll('"', '')
