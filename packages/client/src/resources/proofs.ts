import type { Proof, QueryResult } from '../generated/schemas.ts'
import { callOperation } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** The figures of summaries and answers, with everything that is needed to compute them again. */
export interface Proofs {
  ofAutomationRun(runId: string, options?: CallOptions): Promise<Proof>
  /** `number` is the number of a message that an agent wrote in the chat. */
  ofMessage(chatShortId: string, number: number | string, options?: CallOptions): Promise<Proof>
  /** The result of a query run that a proof names, while the service keeps it. */
  result(queryRunId: string, options?: CallOptions): Promise<QueryResult>
}

export function makeProofs(transport: Transport): Proofs {
  return {
    ofAutomationRun: (id, options) => callOperation(transport, 'proofs.ofAutomationRun', { params: { id } }, options),
    ofMessage: (shortId, number, options) =>
      callOperation(transport, 'proofs.ofMessage', { params: { shortId, number: String(number) } }, options),
    result: (runId, options) => callOperation(transport, 'proofs.result', { params: { runId } }, options),
  }
}
