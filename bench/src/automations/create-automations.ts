import { sampleQueriesOf } from '@querypost/server/background-work'
import { callApi, signIn } from '../api/caller.ts'
import type { Service } from '../api/service.ts'

export type References = 'shared' | 'own'

type Pages = Awaited<ReturnType<typeof signIn>>

/**
 * Creates automations through the API, all due at the same minute. With `shared` they use the sample shop's references in turn; with
 * `own` each has its own reference and query, a copy of one of the sample shop's.
 */
export async function createAutomations(
  service: Service,
  options: { count: number; references: References; dueAt: Date },
): Promise<string[]> {
  const pages = await signIn(service)
  const nextReference = options.references === 'shared' ? await ofSample(service) : await ofItsOwn(service, pages)
  const { dueAt } = options
  const schedule = { cron: `${dueAt.getUTCMinutes()} ${dueAt.getUTCHours()} * * *`, timeZone: 'UTC' }
  const ids: string[] = []
  await inParallel(options.count, async (number) => {
    const { id } = await pages.post<{ id: string }>('/app/api/automations', {
      name: `Automation ${number} (${options.references})`,
      instructions: 'Tell me what changed.',
      references: [await nextReference(number)],
      schedule,
      enabled: true,
    })
    ids.push(id)
  })
  return ids
}

/** The sample of a service that was started today. */
const sampleQueries = sampleQueriesOf(new Date().toISOString().slice(0, 10))

async function ofSample(service: Service) {
  const { items } = await callApi<{ items: { shortId: string; title: string }[] }>(service, '/api/queries/refs?limit=100')
  const shortIds = sampleQueries.map(({ title }) => items.find((item) => item.title === title)!.shortId)
  return async (number: number) => shortIds[number % shortIds.length]!
}

async function ofItsOwn(service: Service, pages: Pages) {
  const { items } = await callApi<{ items: { analyticalDatabaseConfigId: string }[] }>(service, '/api/queries?limit=1')
  const { analyticalDatabaseConfigId } = items[0]!
  return async (number: number) => {
    const { sql, parameters, title } = sampleQueries[number % sampleQueries.length]!
    const query = { sql: `${sql}\n-- ${number}`, analyticalDatabaseConfigId }
    const { id: queryId } = await pages.post<{ id: string }>('/app/api/queries', query)
    const reference = { queryId, title: `${title}, ${number}`, parameters }
    return (await pages.post<{ shortId: string }>('/app/api/references', reference)).shortId
  }
}

const atOnce = 8

async function inParallel(count: number, act: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
