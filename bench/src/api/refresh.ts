import { openConnection, requestMessage } from '../load/connection.ts'
import { apiKey, type Service } from './service.ts'

interface Query {
  latestRun: { id: string; status: string }
  latestRunMetadata: { failureReason: string | null }
}

/**
 * Refreshes a query and watches it, asking again `pauseMs` after each answer: on two cores, a watcher that never pauses takes
 * from the run the time that it measures. Returns the time from the sending of the refresh until an answer says that its run
 * has completed, the watcher's pauses included.
 */
export async function refreshToCompletedMs(service: Service, queryId: string, pauseMs = 1): Promise<number> {
  const connection = await openConnection({ port: service.port, keepsBodies: true })
  const refresh = requestMessage({ method: 'POST', path: `/api/queries/${queryId}/refresh`, key: apiKey })
  const retrieve = requestMessage({ path: `/api/queries/${queryId}`, key: apiKey })
  try {
    const startedMs = performance.now()
    const { status, body } = await connection.request(refresh)
    if (status !== 202) throw new Error(`The refresh was answered with ${status}: ${body.toString()}`)
    const run = JSON.parse(body.toString()) as { id: string }
    for (;;) {
      const query = JSON.parse((await connection.request(retrieve)).body.toString()) as Query
      if (query.latestRun.id !== run.id) throw new Error('Another run came between.')
      if (query.latestRun.status === 'failed') throw new Error(query.latestRunMetadata.failureReason!)
      if (query.latestRun.status === 'completed') return performance.now() - startedMs
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    connection.close()
  }
}
