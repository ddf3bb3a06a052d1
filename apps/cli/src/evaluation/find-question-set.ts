import type { ListedQuestionSet, Querypost } from '@querypost/client'
import { CommandError } from '../command.ts'
import { findNearest } from '../find-nearest.ts'

export async function readQuestionSets(client: Querypost, signal: AbortSignal): Promise<ListedQuestionSet[]> {
  const sets: ListedQuestionSet[] = []
  for await (const set of client.questionSets.list({ limit: 100, signal })) sets.push(set)
  return sets
}

/** Finds a question set by its name, ignoring case, or by its id. */
export async function findQuestionSet(client: Querypost, given: string, signal: AbortSignal): Promise<ListedQuestionSet> {
  const items = await readQuestionSets(client, signal)
  const found = items.find(({ id, name }) => id === given || name.toLowerCase() === given.toLowerCase())
  if (found) return found
  const nearest = findNearest(given, items.map(({ name }) => name))
  const hint = nearest === undefined ? 'Use `querypost eval list` to see all.' : `Did you mean ${JSON.stringify(nearest)}?`
  throw new CommandError(1, `There is no question set ${JSON.stringify(given)}. ${hint}`)
}
