import pg from 'pg'

/**
 * A pooler such as PgBouncer that pools *transactions* gives each transaction any of its connections to the server. So nothing that
 * belongs to a connection works through it: LISTEN, locks that outlast a transaction, and settings. DATABASE_DIRECT_URL leads past the
 * pooler for these.
 *
 * Prepared statements belong to a connection, too. Some poolers (PgBouncer from 1.21 on) prepare them on the connections that lack them.
 */

const probe = { name: 'querypost_probe', text: '/* querypost probe */ select 1' }
const nameIsTaken = '42P05'

/** Whether prepared statements work through the pooler. One that cares for them gives them names of its own. */
export async function canPrepareThrough(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(probe)
    const { rows } = await client.query('select from pg_prepared_statements where name = $1', [probe.name])
    if (rows.length > 0) await client.query(`deallocate ${probe.name}`)
    await client.query('commit')
    return rows.length === 0
  } catch (error) {
    // Another process is probing through the same pooler.
    if ((error as { code?: string }).code === nameIsTaken) return false
    throw error
  } finally {
    await client.end()
  }
}

/** A pooler gives its clients process ids of its own, because a client has no server process to itself. */
export async function isBehindPooler(client: pg.Client): Promise<boolean> {
  const { processID } = client as unknown as { processID: number }
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
  return rows[0]!.id !== processID
}
