/** All paths that the pages link to. */
export const paths = {
  home: '/',
  account: '/account',
  boards: '/boards',
  newBoard: '/boards/new',
  /** `search` has the values of its parameters, with a question mark. */
  board: (shortId: string, search = '') => `/b/${encodeURIComponent(shortId)}${search}`,
  folder: (id: string) => `/folders/${encodeURIComponent(id)}`,
  queries: '/queries',
  newQuery: (draft: { database?: string; sql?: string } = {}) => withSearch('/queries/new', draft),
  query: (queryId: string) => `/queries/${encodeURIComponent(queryId)}`,
  permalink: (shortId: string) => `/q/${encodeURIComponent(shortId)}`,
  /** The kept results of a query; `from` and `to` are the runs that are compared. */
  results: (shortId: string, chosen: { from?: string; to?: string } = {}) => withSearch(`/q/${encodeURIComponent(shortId)}/results`, chosen),
  lineage: (shortId: string) => `/q/${encodeURIComponent(shortId)}/lineage`,
  editReference: (shortId: string) => `/q/${encodeURIComponent(shortId)}/edit`,
  runs: '/runs',
  trash: '/trash',
  run: (runId: string) => `/runs/${encodeURIComponent(runId)}`,
  databases: '/databases',
  database: (id: string, chosen: { table?: string; upload?: 'true' } = {}) => withSearch(`/databases/${encodeURIComponent(id)}`, chosen),
  /** What uses a table, or one of its columns. */
  tableUsers: (databaseId: string, of: { schema: string; table: string; column?: string }) =>
    withSearch(`/databases/${encodeURIComponent(databaseId)}/users`, { ...of }),
  automations: '/automations',
  newAutomation: '/automations/new',
  newAutomationFrom: (start: NewAutomationStart) => withSearch('/automations/new', { ...start }),
  automation: (id: string) => `/automations/${encodeURIComponent(id)}`,
  chats: '/chats',
  /** `leaf` is the number of a question on the path to show; without it, the newest is shown. */
  chat: (shortId: string, chosen: { leaf?: string } = {}) => withSearch(`/chats/${encodeURIComponent(shortId)}`, chosen),
  /** `q` is a question that fills in the box. It is not asked by opening the link. */
  ask: (start: { q?: string } = {}) => withSearch('/ask', start),
  knowledge: '/knowledge',
  /** A tab of the page; `of` is the id of an item on it. */
  knowledgeOf: (part: KnowledgePart, of?: string) => `/knowledge/${encodeURIComponent(part)}${of === undefined ? '' : `#${of}`}`,
  evaluations: '/evaluations',
  questionSet: (id: string) => `/evaluations/sets/${encodeURIComponent(id)}`,
  evaluation: (id: string) => `/evaluations/${encodeURIComponent(id)}`,
  comparison: ({ from, to }: { from: string; to: string }) => `/evaluations/compare?${new URLSearchParams({ from, to })}`,
  notifications: '/notifications',
  organizationSettings: '/settings/organization',
  memberSettings: '/settings/members',
  access: '/settings/access',
  agentSettings: '/settings/agents',
  channels: '/settings/channels',
  webhooks: '/settings/webhooks',
  newWebhookEndpoint: '/settings/webhooks/new',
  webhookEndpoint: (id: string, chosen: { delivery?: string } = {}) =>
    withSearch(`/settings/webhooks/${encodeURIComponent(id)}`, chosen),
  auditLog: '/settings/audit-log',
  resultHistory: '/settings/result-history',
  sharing: '/settings/sharing',
  storage: '/settings/storage',
  signIn: (returnTo?: string) =>
    returnTo === undefined || returnTo === '/' ? '/sign-in' : withSearch('/sign-in', { returnTo }),
  secondStep: (returnTo?: string) =>
    returnTo === undefined || returnTo === '/' ? '/sign-in/second-step' : withSearch('/sign-in/second-step', { returnTo }),
  forgottenPassword: '/forgotten-password',
}

export const knowledgeParts = ['metrics', 'verified-queries', 'tables', 'suggestions', 'history'] as const
export type KnowledgePart = (typeof knowledgeParts)[number]

/** What fills in the form of a new automation. */
interface NewAutomationStart {
  template?: string
  /** A description of the automation. */
  words?: string
  /** A description to continue editing, before the form is filled in. */
  draft?: string
  /** A question that a chat has answered, and the shortId of the saved query behind the answer. */
  question?: string
  reference?: string | undefined
}

/** The documentation: separate documents that the service renders. */
export const documentation = {
  start: '/docs',
  retention: '/docs/retention',
  api: '/docs/api',
  automations: '/docs/api/automations',
  webhooks: '/docs/webhooks',
  errors: '/docs/errors',
  assistants: '/docs/mcp',
  proof: '/docs/proof',
  knowledge: '/docs/knowledge',
  evaluate: '/docs/evaluate',
  emailReports: '/docs/e-mail-reports',
  slack: '/docs/slack',
  teams: '/docs/teams',
}

function withSearch(path: string, search: Record<string, string | undefined>): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Where to go after signing in. Only URLs of this site are allowed. */
export function returnToIn(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get('returnTo')
  if (wanted === null || !URL.canParse(wanted, origin)) return paths.home
  const url = new URL(wanted, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : paths.home
}

/** The path patterns of all pages; `:name` matches one segment. The service answers them with the document of the pages. */
export const pagePatterns = [
  '/',
  '/account',
  '/ask',
  '/automations',
  '/automations/new',
  '/automations/:id',
  '/b/:shortId',
  '/boards',
  '/boards/new',
  '/chats',
  '/chats/:shortId',
  '/databases',
  '/databases/:id',
  '/databases/:id/users',
  '/evaluations',
  '/evaluations/:id',
  '/evaluations/sets/:id',
  '/folders/:id',
  '/forgotten-password',
  '/invitation',
  '/knowledge',
  '/knowledge/:part',
  '/notifications',
  '/q/:shortId',
  '/q/:shortId/edit',
  '/q/:shortId/results',
  '/q/:shortId/lineage',
  '/queries',
  '/queries/new',
  '/queries/:queryId',
  '/reports/confirm',
  '/reports/download',
  '/reports/unsubscribe/:token',
  '/reset',
  '/runs',
  '/runs/:runId',
  '/settings/access',
  '/settings/agents',
  '/settings/audit-log',
  '/settings/channels',
  '/settings/members',
  '/settings/organization',
  '/settings/result-history',
  '/settings/sharing',
  '/settings/storage',
  '/settings/webhooks',
  '/settings/webhooks/new',
  '/settings/webhooks/:id',
  '/sign-in',
  '/sign-in/second-step',
  '/trash',
  '/welcome',
] as const

const pageExpressions = pagePatterns.map((pattern) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}/?$`))

/** Whether a path belongs to one of the pages. */
export function isPagePath(pathname: string): boolean {
  return pageExpressions.some((expression) => expression.test(pathname))
}
