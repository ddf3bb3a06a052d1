import { Type } from 'typebox'
import { getProofOfMessage, getProofOfRun } from '../../domain/proofs/proofs.ts'
import type { AgentServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { responses } from '../responses.ts'
import { Proof } from '../schemas/proof-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Proofs']

/** Retrieve what is needed to compute the figures of a summary or an answer again. Not part of the retired API. */
export function proofRoutes(api: Api, services: AgentServices): void {
  api.get(
    '/api/automation-runs/:id/proof',
    {
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
      schema: {
        operationId: 'proofs.ofMessage',
        tags,
        summary: 'Retrieve the proof of a message in a chat',
        description: 'The same for any text that an agent wrote in a chat.',
        params: Type.Object({
          shortId: Type.String({ description: 'The end of the chat’s permalink.', examples: ['m4k2x8qdpw'] }),
          number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The number of the message.', examples: [4] }),
        }),
        response: responses(200, Proof, ['chat_not_found', 'proof_not_found']),
      },
    },
    async (request) => getProofOfMessage(services, callerOf(request), request.params),
  )
}
