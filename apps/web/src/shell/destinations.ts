import { paths } from '../paths.ts'

/** A place that can be gone to by its name. */
export interface Destination {
  title: string
  kind: string
  href: string
}

const page = (title: string, href: string): Destination => ({ title, kind: 'Page', href })

const forEverybody = [
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

const forAdmins = [page('Webhooks', paths.webhooks), page('New webhook endpoint', paths.newWebhookEndpoint)]

/** Those pages whose name has every word, or the beginning of it, that was typed. */
export function matching(text: string, role: 'admin' | 'member'): Destination[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = role === 'admin' ? [...forEverybody, ...forAdmins] : forEverybody
  return all.filter(({ title }) => {
    const names = title.toLowerCase().split(' ')
    return words.every((word) => names.some((name) => name.startsWith(word)))
  })
}
