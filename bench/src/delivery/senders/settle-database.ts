import pg from 'pg'

/** After a bulk load, and before anything is measured: no dead rows, and the planner knows what is there. */
export async function settleDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze)')
  await client.end()
}
