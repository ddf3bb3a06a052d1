import type { Querypost, ReferenceInFull } from '@querypost/client'
import { CommandError } from '../command.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface FoundQuery {
  queryId: string
  /** As people name it: the short id, or the query's id where it was given. */
  name: string
  /** Undefined when the query was given by its own id. */
  reference: ReferenceInFull | undefined
}

/** Finds a query by its permalink, by the short id in it, or by the query's own id. */
export async function findQuery(client: Querypost, operands: string[], signal: AbortSignal): Promise<FoundQuery> {
  const [given, ...rest] = operands
  if (given === undefined || rest.length > 0) {
    throw new CommandError(
      2,
      'Name one query by its permalink, short id or query id. `querypost query list` shows the permalinks.',
    )
  }
  if (uuidPattern.test(given)) return { queryId: given, name: given, reference: undefined }
  const shortId = readShortId(given)
  const reference = await client.references.get(shortId, { signal })
  if (reference.isOptimistic) throw new CommandError(1, `"${reference.title}" has no SQL yet.`)
  return { queryId: reference.currentQuery.id, name: shortId, reference }
}

/** The short id in a permalink, or the one that is given. */
export function readShortId(given: string): string {
  const shortId = /\/q\/([^/?#]+)/.exec(given)?.[1] ?? given
  if (/^\w{4,40}$/.test(shortId)) return shortId
  throw new CommandError(2, `${JSON.stringify(given)} is not a permalink, a short id (k7Rm2QwXn4) or a query id.`)
}
