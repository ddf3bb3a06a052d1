import type { Querypost } from '@querypost/client'
import { Complaint } from '../command.ts'

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The query that somebody means: by its own id, by a reference's short id, or by the permalink itself. */
export async function findQuery(
  client: Querypost,
  operands: string[],
  signal: AbortSignal,
): Promise<{ queryId: string; name: string }> {
  const [given, ...rest] = operands
  if (given === undefined || rest.length > 0) {
    throw new Complaint(
      2,
      'Say which query: the short id of its permalink, or its id. `querypost query list` shows them.',
    )
  }
  if (uuidForm.test(given)) return { queryId: given, name: given }
  const shortId = shortIdOf(given)
  const { currentQuery, title, isOptimistic } = await client.references.get(shortId, { signal })
  if (isOptimistic) throw new Complaint(1, `"${title}" is only reserved: its SQL is not written yet.`)
  return { queryId: currentQuery.id, name: shortId }
}

function shortIdOf(given: string): string {
  const shortId = /\/q\/([^/?#]+)/.exec(given)?.[1] ?? given
  if (/^\w{4,40}$/.test(shortId)) return shortId
  throw new Complaint(2, `${JSON.stringify(given)} is neither a short id, as in k7Rm2QwXn4, nor a query’s id.`)
}
