import { Type } from 'typebox'
import { getProofOfMessage, getProofOfRun } from '../../domain/proofs/proofs.ts'
import { cachedResultOf } from '../../domain/results/results.ts'
import { getRun } from '../../domain/runs/read-runs.ts'
import type { AgentServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { responses } from '../responses.ts'
import { NotModified, QueryResult } from '../schemas.ts'
import { sendResult } from '../send-result.ts'
import { Proof } from '../schemas/proof-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Proofs']

/** Retrieve what is needed to compute the figures of a summary or an answer again. Not part of the retired API. */
export function proofRoutes(api: Api, services: AgentServices): void {
  api.get(
    '/api/automation-runs/:id/proof',
    {
      config: { scope: 'read:automations' },
      schema: {
        operationId: 'proofs.ofAutomationRun',
        tags,
        summary: 'Retrieve the proof of an automation run’s summary',
        description:
          'Returns the summary with its proven figures: for each, its expression and the query run it was computed from. `querypost proof check` computes them again from downloaded results.',
        params: Type.Object({ id: Type.String({ description: 'The automation run’s id.', examples: ['arun_6b2m'] }) }),
        response: responses(200, Proof, ['automation_run_not_found', 'proof_not_found']),
      },
    },
    async (request) => getProofOfRun(services, callerOf(request), request.params.id),
  )

  api.get(
    '/api/chats/:shortId/messages/:number/proof',
    {
      config: { scope: 'read:chats' },
      schema: {
        operationId: 'proofs.ofMessage',
        tags,
        summary: 'Retrieve the proof of a message in a chat',
        description: 'The same for any text that an agent wrote in a chat.',
        params: Type.Object({
          shortId: Type.String({ description: 'The end of the chat’s permalink.', examples: ['m4k2x8qdpw'] }),
          number: Type.String({ description: 'The number of the message.', examples: ['3'] }),
        }),
        response: responses(200, Proof, ['chat_not_found', 'message_not_found', 'proof_not_found']),
      },
    },
    async (request) => getProofOfMessage(services, callerOf(request), request.params),
  )

  api.get(
    '/api/runs/:runId/result',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'proofs.result',
        tags,
        summary: 'Retrieve the result that figures were computed from',
        description:
          'Returns the result of one query run as JSON, as long as it is kept: 24 hours, unless the operator has configured another lifetime. Its `ETag` is the `resultHash` in a proof; if it is sent with gzip or zstd, `-gzip` or `-zstd` is appended.',
        params: Type.Object({ runId: Type.String({ description: 'The `runId` of a figure.', examples: ['run_2v7c'] }) }),
        headers: Type.Object({
          'if-none-match': Type.Optional(
            Type.String({ description: 'The `ETag` of the copy you have.', examples: ['"9b2c81d4"'] }),
          ),
        }),
        response: {
          ...responses(200, QueryResult, ['run_not_found', 'result_not_available', 'result_expired']),
          200: { description: 'The result.', content: { 'application/json': { schema: QueryResult } } },
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const run = await getRun(services, callerOf(request), request.params.runId)
      return sendResult(request, reply, cachedResultOf(services, run))
    },
  )
}
