import { Type } from 'typebox'
import { cachedResultOf } from '../../../domain/results/results.ts'
import { getRunInFull, stopRun } from '../../../domain/runs/read-runs.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { presentPagesRun, presentRunInFull } from '../../present.ts'
import { binaryResponse, noBody } from '../../page-responses.ts'
import { closed, NotModified, oneOf } from '../../schemas.ts'
import { DownloadFormat, OwnRun, RunInFull } from '../../schemas/query-schemas.ts'
import { listRunsOfPerson } from '../../../store/runs/list-runs-of-person.ts'
import { contentTypes, readFormat, sendDownload } from '../../send-download.ts'
import { sendResult } from '../../send-result.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ runId: Type.String() })

const defaultRecentCount = 20
const RecentQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, closed)

/** JSON is sent for display unless `download` is set; other formats are always files. `raw` applies only to CSV. */
const ResultQuery = Type.Object(
  {
    format: Type.Optional(DownloadFormat),
    download: Type.Optional(oneOf(['1'])),
    raw: Type.Optional(oneOf(['1'])),
  },
  closed,
)

/** The caller's recent runs; and one run: get it, stop it, read its result. */
export function appRunRoutes(api: Api, services: QueryServices): void {
  const schema = { params: Params, response: { 200: RunInFull } }

  api.get(
    '/app/api/runs',
    { schema: { querystring: RecentQuery, response: { 200: Type.Object({ items: Type.Array(OwnRun) }) } } },
    async (request) => {
      const { organizationId, userId } = callerOf(request)
      const runs = await listRunsOfPerson(services.db, { organizationId, userId, count: request.query.limit ?? defaultRecentCount })
      return { items: runs.map((run) => Object.assign(presentPagesRun(run), { reference: run.reference })) }
    },
  )

  api.get('/app/api/runs/:runId', { schema }, async (request) =>
    presentRunInFull(await getRunInFull(services, callerOf(request), request.params.runId)),
  )

  api.post('/app/api/runs/:runId/cancel', { ...noBody, schema }, async (request) =>
    presentRunInFull(await stopRun(services, callerOf(request), request.params.runId)),
  )

  api.get(
    '/app/api/runs/:runId/result',
    {
      schema: {
        params: Params,
        querystring: ResultQuery,
        response: { ...binaryResponse('application/json', ...Object.values(contentTypes)), 304: NotModified },
      },
    },
    async (request, reply) => {
      const run = await getRunInFull(services, callerOf(request), request.params.runId)
      const result = cachedResultOf(services, run)
      const { format, isRaw } = readFormat(request.query)
      if (format === 'json' && !request.query.download) return sendResult(request, reply, result)
      return sendDownload(request, reply, { services, run, result, format, isRaw })
    },
  )
}
