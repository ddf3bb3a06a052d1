/** Every address that the pages link to. */
export const paths = {
  home: '/',
  account: '/account',
  automations: '/automations',
  newAutomation: '/automations/new',
  automation: (id: string) => `/automations/${encodeURIComponent(id)}`,
  chats: '/chats',
  chat: (shortId: string) => `/chats/${encodeURIComponent(shortId)}`,
  run: (runId: string) => `/runs/${encodeURIComponent(runId)}`,
  notifications: '/notifications',
  agentSettings: '/settings/agents',
  permalink: (shortId: string) => `/q/${encodeURIComponent(shortId)}`,
  signIn: (returnTo?: string) =>
    returnTo === undefined || returnTo === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ returnTo })}`,
}

/** Which page a path leads to, and what it names. */
export type Place =
  | { page: 'home' | 'account' | 'automations' | 'new_automation' | 'chats' | 'notifications' | 'agent_settings' | 'sign_in' }
  | { page: 'automation' | 'run'; id: string }
  | { page: 'permalink' | 'chat'; shortId: string }

const places = new Map<string, Place>([
  [paths.home, { page: 'home' }],
  [paths.account, { page: 'account' }],
  [paths.automations, { page: 'automations' }],
  [paths.newAutomation, { page: 'new_automation' }],
  [paths.chats, { page: 'chats' }],
  [paths.notifications, { page: 'notifications' }],
  [paths.agentSettings, { page: 'agent_settings' }],
  ['/sign-in', { page: 'sign_in' }],
])

/** Undefined where there is no such page. */
export function placeOf(pathname: string): Place | undefined {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const plain = places.get(path)
  if (plain) return plain
  const [, kind, part] = /^\/(q|chats|automations|runs)\/([^/]+)$/.exec(path) ?? []
  if (kind === undefined || part === undefined) return undefined
  const named = decoded(part)
  if (kind === 'q') return { page: 'permalink', shortId: named }
  if (kind === 'chats') return { page: 'chat', shortId: named }
  return { page: kind === 'runs' ? 'run' : 'automation', id: named }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Where a person wanted to go before signing in. Only an address of this site is believed. */
export function returnToIn(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get('returnTo')
  if (wanted === null || !URL.canParse(wanted, origin)) return paths.home
  const url = new URL(wanted, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : paths.home
}
