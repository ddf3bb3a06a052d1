import { Type } from 'typebox'
import { cachedResultOf } from '../../../domain/results/results.ts'
import { getRun, stopRun } from '../../../domain/runs/runs.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { presentRunInFull } from '../../present.ts'
import { sendResult } from '../../send-result.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ runId: Type.String() })

/** One run: watch it, stop it, read its result. */
export function appRunRoutes(api: Api, services: Services): void {
  api.get('/app/api/runs/:runId', { schema: { params: Params } }, async (request) =>
    presentRunInFull(await getRun(services, callerOf(request), request.params.runId)),
  )

  api.post('/app/api/runs/:runId/cancel', { schema: { params: Params } }, async (request) =>
    presentRunInFull(await stopRun(services, callerOf(request), request.params.runId)),
  )

  api.get('/app/api/runs/:runId/result', { schema: { params: Params } }, async (request, reply) => {
    const run = await getRun(services, callerOf(request), request.params.runId)
    return sendResult(request, reply, cachedResultOf(services, run))
  })
}
