import { type HttpAnswer, type HttpRequestSeen, startScriptedHttp } from './scripted-http.ts'

/**
 * A server that answers as BigQuery does, in the project `acme` with the table `shop.items`. A statement reads as many bytes as the
 * largest number in it says, and returns one row with that number. One with `wrong` is rejected.
 */
export async function startScriptedBigquery() {
  const jobs: Jobs = { estimates: [], sqlOf: new Map() }
  const server = await startScriptedHttp((request) => answer(request, jobs))
  return { ...server, estimates: jobs.estimates, executed: () => [...jobs.sqlOf.values()] }
}

interface Jobs {
  /** The statements of dry runs. */
  estimates: string[]
  /** By the id of the job. */
  sqlOf: Map<string, string>
}

const tableReference = { projectId: 'acme', datasetId: 'shop', tableId: 'items' }
const schema = { fields: [{ name: 'bytes', type: 'INTEGER' }] }

interface SentJob {
  jobReference: { jobId?: string }
  configuration: { dryRun?: boolean; query: { query: string } }
}

function answer({ method, path, body }: HttpRequestSeen, jobs: Jobs): HttpAnswer {
  const { pathname } = new URL(path, 'http://bigquery.test')
  if (method === 'POST' && pathname.endsWith('/jobs')) return answerJob(JSON.parse(body) as SentJob, jobs)
  const last = pathname.split('/').at(-1)!
  if (pathname.includes('/queries/')) {
    const bytes = String(bytesOf(jobs.sqlOf.get(last)!))
    return { body: { jobComplete: true, schema, rows: [{ f: [{ v: bytes }] }], totalBytesProcessed: bytes } }
  }
  if (last === 'datasets') return { body: { datasets: [{ datasetReference: tableReference }] } }
  if (last === 'tables') return { body: { tables: [{ tableReference }] } }
  if (last === 'items') return { body: { tableReference, type: 'TABLE', numRows: '3', schema } }
  return { body: { status: { state: 'DONE' } } }
}

function answerJob({ jobReference, configuration: { dryRun = false, query } }: SentJob, jobs: Jobs): HttpAnswer {
  if (query.query.includes('wrong')) {
    const message = 'Unrecognized name: wrong'
    return { status: 400, body: { error: { code: 400, message, errors: [{ reason: 'invalidQuery', message }] } } }
  }
  if (!dryRun) {
    jobs.sqlOf.set(jobReference.jobId!, query.query)
    return { body: { status: { state: 'RUNNING' } } }
  }
  jobs.estimates.push(query.query)
  const statistics = { query: { statementType: 'SELECT', totalBytesProcessed: String(bytesOf(query.query)) } }
  return { body: { status: { state: 'DONE' }, statistics } }
}

const bytesOf = (sql: string) => Math.max(0, ...Array.from(sql.matchAll(/\d+/g), ([digits]) => Number(digits)))
