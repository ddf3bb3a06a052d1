import type { Role } from '../api/session.ts'
import { documentation, paths } from '../paths.ts'

/** A page that the command menu can open. */
export interface Destination {
  title: string
  kind: string
  href: string
}

const page = (title: string, href: string): Destination => ({ title, kind: 'Page', href })

const guide = (title: string, href: string): Destination => ({ title, kind: 'Documentation', href })

const forEveryone = [
  page('New query', paths.newQuery()),
  page('Queries', paths.home),
  page('Automations', paths.automations),
  page('New automation', paths.newAutomation),
  page('Chats', paths.chats),
  page('Databases', paths.databases),
  page('Notifications', paths.notifications),
  page('Account and API keys', paths.account),
  page('Organization settings', paths.organizationSettings),
  page('Members and invitations', paths.memberSettings),
  page('Agent settings', paths.agentSettings),
]

const forAdmins = [
  page('Webhooks', paths.webhooks),
  page('New webhook endpoint', paths.newWebhookEndpoint),
  page('Audit log', paths.auditLog),
]

const guides = [
  guide('Documentation', documentation.start),
  guide('API reference', documentation.api),
  guide('Receiving webhooks', documentation.webhooks),
  guide('Error codes', documentation.errors),
]

/** The pages whose title has a word starting with each typed word. */
export function matching(text: string, role: Role): Destination[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [...forEveryone, ...(role === 'admin' ? forAdmins : []), ...guides]
  return all.filter(({ title }) => {
    const names = title.toLowerCase().split(' ')
    return words.every((word) => names.some((name) => name.startsWith(word)))
  })
}
