import { inject } from 'vitest'
import type { Service } from './service.ts'
import type { SharedOrganization } from './shared-service.ts'

/** A new organization in the shared service, with the sample shop, whose automation has run once. */
export interface Organization extends Omit<Service, 'stop'>, SharedOrganization {
  /** All e-mails to an address so far; to its admin if none is given. */
  emails(address?: string): Promise<{ to: string[]; text: string }[]>
}

/** `name` must be unique among the test files. */
export async function newOrganization(name: string): Promise<Organization> {
  const organization = await ask<SharedOrganization>('/organizations', name)
  const { baseUrl, apiKey, email } = organization
  async function api<Answer>(method: string, route: string): Promise<Answer> {
    const answer = await fetch(`${baseUrl}${route}`, { method, headers: { authorization: `Bearer ${apiKey}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }
  return { ...organization, api, emails: (address = email) => ask('/emails', address) }
}

async function ask<Answer>(route: string, body: string): Promise<Answer> {
  const answer = await fetch(`${inject('sharedServiceUrl')}${route}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Answer
}
