import pg from 'pg'

/** Vacuums and analyzes after a bulk load, before anything is measured. */
export async function settleDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze)')
  await client.end()
}
