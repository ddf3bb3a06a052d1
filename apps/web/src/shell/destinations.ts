import type { FoundItem } from '../api/items.ts'
import type { Role } from '../api/session.ts'
import { documentation, paths } from '../paths.ts'

/** A page that the command menu can open. */
export interface Destination {
  title: string
  kind: string
  href: string
  /** What choosing it does, if it does not lead to a page. */
  act?(): void
}

const kinds: Record<FoundItem['kind'], string> = {
  board: 'Board',
  query: 'Query',
  automation: 'Automation',
  chat: 'Chat',
  table: 'Table',
  column: 'Column',
}

/** Where something that was found is shown. */
export function destinationOf(item: FoundItem): Destination {
  return { title: item.title, kind: item.isVerified ? 'Verified query' : kinds[item.kind], href: hrefOf(item) }
}

function hrefOf({ kind, id, table, title }: FoundItem): string {
  switch (kind) {
    case 'board':
      return paths.board(id)
    case 'query':
      return paths.permalink(id)
    case 'automation':
      return paths.automation(id)
    case 'chat':
      return paths.chat(id)
    default:
      // The page names tables of the schema `main` without it. Columns of a table are on one page; the fragment keeps them apart in a list.
      return paths.database(id, { table: (table ?? title).replace(/^main\./, '') }) + (kind === 'column' ? `#${encodeURIComponent(title)}` : '')
  }
}

const page = (title: string, href: string): Destination => ({ title, kind: 'Page', href })

const guide = (title: string, href: string): Destination => ({ title, kind: 'Documentation', href })

const forEverybody = [
  page('Home', paths.home),
  page('Ask', paths.ask()),
  page('New chat', paths.ask()),
  page('Boards', paths.boards),
  page('New board', paths.newBoard),
  page('New query', paths.newQuery()),
  page('Queries', paths.queries),
  page('My recent runs', paths.runs),
  page('Trash', paths.trash),
  page('Automations', paths.automations),
  page('New automation', paths.newAutomation),
  page('Chats', paths.chats),
  page('Databases', paths.databases),
  page('Knowledge', paths.knowledge),
  page('Metrics', paths.knowledgeOf('metrics')),
  page('Notifications', paths.notifications),
  page('Account and API keys', paths.account),
  page('Organization settings', paths.organizationSettings),
  page('Members and invitations', paths.memberSettings),
  page('Evaluations', paths.evaluations),
  page('Agent settings', paths.agentSettings),
  page('Channels', paths.channels),
]

const forAdmins = [
  page('Groups and access', paths.access),
  page('Sharing', paths.sharing),
  page('Result history', paths.resultHistory),
  page('Storage', paths.storage),
  page('Webhooks', paths.webhooks),
  page('New webhook endpoint', paths.newWebhookEndpoint),
  page('Audit log', paths.auditLog),
]

const guides = [
  guide('Documentation', documentation.start),
  guide('API reference', documentation.api),
  guide('Receiving webhooks', documentation.webhooks),
  guide('Error codes', documentation.errors),
  guide('Proof of figures', documentation.proof),
  guide('Knowledge of agents', documentation.knowledge),
]

/** The pages whose title has a word starting with each typed word. */
export function matching(text: string, role: Role): Destination[] {
  return [...forEverybody, ...(role === 'admin' ? forAdmins : []), ...guides].filter(({ title }) => hasWords(title, text))
}

/** Whether every word that was typed starts a word of the title. */
export function hasWords(title: string, text: string): boolean {
  const names = title.toLowerCase().split(' ')
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => names.some((name) => name.startsWith(word)))
}
