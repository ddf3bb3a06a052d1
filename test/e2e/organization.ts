import { inject } from 'vitest'
import type { Service } from './service.ts'
import type { SharedOrganization } from './shared-service.ts'

/** A new organization of the service that all test files share: with the sample, whose automation has run once. */
export interface Organization extends Omit<Service, 'stop'>, SharedOrganization {
  /** All letters to its admin so far. */
  letters(): Promise<{ to: string[]; text: string }[]>
}

/** `name`: unlike that of every other file. */
export async function newOrganization(name: string): Promise<Organization> {
  const organization = await ask<SharedOrganization>('/organizations', name)
  const { baseUrl, apiKey, email } = organization
  async function api<Answer>(method: string, route: string): Promise<Answer> {
    const answer = await fetch(`${baseUrl}${route}`, { method, headers: { authorization: `Bearer ${apiKey}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }
  return { ...organization, api, letters: () => ask('/letters', email) }
}

async function ask<Answer>(route: string, body: string): Promise<Answer> {
  const answer = await fetch(`${inject('sharedServiceUrl')}${route}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Answer
}
