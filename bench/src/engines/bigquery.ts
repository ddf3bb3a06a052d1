import { startBigqueryEmulator } from '@querypost/server/testing'
import { rowsSql, type Warehouse } from './warehouse.ts'

interface Page {
  rows: unknown[]
  pageToken?: string
}

/** A million rows would take the emulator half a minute. It takes most of the time on both sides. */
const fewerRows = 100_000

export async function startBigqueryWarehouse(): Promise<Warehouse> {
  const server = await startBigqueryEmulator()
  const defaultDataset = { projectId: 'acme', datasetId: 'shop' }
  await server.call('POST', '/projects/acme/datasets', { datasetReference: defaultDataset })
  const createSql = `
    create table shop.events as
    select i as id, i * 0.5 as amount, cast(mod(i, 100000) / 100 as numeric) as price, concat('customer ', cast(i as string)) as name,
      timestamp_add(timestamp '2024-01-01 00:00:00+00', interval i second) as happened_at
    from unnest(generate_array(0, ${fewerRows - 1})) as i`
  await server.call('POST', '/projects/acme/queries', { query: createSql, useLegacySql: false })

  async function read(): Promise<number> {
    const configuration = { query: { query: rowsSql, useLegacySql: false, defaultDataset } }
    const job = (await server.call('POST', '/projects/acme/jobs', { configuration })) as { jobReference: { jobId: string } }
    const results = `/projects/acme/queries/${job.jobReference.jobId}?maxResults=10000`
    let count = 0
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = (await server.call('GET', `${results}${token && `&pageToken=${token}`}`)) as Page
      count += page.rows.length
      token = page.pageToken
    }
    return count
  }

  return {
    name: 'BigQuery (emulator)',
    fewerRows,
    configuration: {
      engine: 'bigquery',
      settings: { host: '127.0.0.1', port: server.port, database: 'acme', user: 'reader@acme.test', tls: 'off', options: { dataset: 'shop' } },
      password: null,
    },
    bare: { what: 'fetch following the pages, each parsed, without a dry run, in this process', read },
    stop: () => server.stop(),
  }
}
