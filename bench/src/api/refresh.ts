import { openConnection, requestMessage } from '../load/connection.ts'
import { apiKey, type Service } from './service.ts'

interface Query {
  latestRun: { id: string; status: string }
  latestRunMetadata: { failureReason: string | null }
}

/**
 * Refreshes a query and polls it, `pauseMs` after each response; on two cores, polling without a pause would slow down the run. Returns
 * the time from sending the refresh until a response says that the run has completed, including the pauses.
 */
export async function refreshToCompletedMs(service: Service, queryId: string, pauseMs = 1): Promise<number> {
  const connection = await openConnection({ port: service.port, keepsBodies: true })
  const refresh = requestMessage({ method: 'POST', path: `/api/queries/${queryId}/refresh`, key: apiKey })
  const retrieve = requestMessage({ path: `/api/queries/${queryId}`, key: apiKey })
  try {
    const startedMs = performance.now()
    const { status, body } = await connection.request(refresh)
    if (status !== 202) throw new Error(`The refresh answered ${status}: ${body.toString()}`)
    const run = JSON.parse(body.toString()) as { id: string }
    for (;;) {
      const query = JSON.parse((await connection.request(retrieve)).body.toString()) as Query
      if (query.latestRun.id !== run.id) throw new Error('Another run was started in between.')
      if (query.latestRun.status === 'failed') throw new Error(query.latestRunMetadata.failureReason!)
      if (query.latestRun.status === 'completed') return performance.now() - startedMs
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    connection.close()
  }
}
