import type { QueryClient } from '@tanstack/react-query'
import {
  type AsyncRouteComponent,
  createBrowserHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionOptions } from './api/session.ts'
import { shareHistory } from './history.ts'
import { preloadBoard } from './pages/boards/preload-board.ts'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { filtersIn, isFiltered } from './pages/queries/filters.ts'
import { paths, returnToIn } from './paths.ts'
import { BarePage } from './shell/bare-page.tsx'
import { PageFailed } from './shell/page-failed.tsx'
import { Shell } from './shell/shell.tsx'
import { Skeleton } from './ui/skeleton.tsx'

/** The routes of the pages. Each page is loaded when it is first opened. */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (isMissing(window.location.pathname) ? <NotFoundPage /> : <Outlet />),
  notFoundComponent: () => <NotFoundPage />,
})

const sessionOf = ({ queryClient }: { queryClient: QueryClient }) => queryClient.ensureQueryData(sessionOptions)

/** The pages that require a session. Others sign in first and return here. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    if (isMissing(location.pathname)) return
    if (!(await sessionOf(context))) throw redirect({ href: paths.signIn(location.href) })
  },
  component: Shell,
  notFoundComponent: () => <NotFoundPage isInShell />,
})

/** The pages that don't require a session. */
const bare = createRoute({ getParentRoute: () => root, id: 'bare', component: BarePage })

const SignInPage = lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage')
const ForgottenPasswordPage = lazyRouteComponent(() => import('./pages/sign-in/forgotten-password-page.tsx'), 'ForgottenPasswordPage')
const SecondStepPage = lazyRouteComponent(() => import('./pages/sign-in/second-step-page.tsx'), 'SecondStepPage')
const ResetPage = lazyRouteComponent(() => import('./pages/sign-in/reset-page.tsx'), 'ResetPage')
const WelcomePage = lazyRouteComponent(() => import('./pages/welcome/welcome-page.tsx'), 'WelcomePage')
const InvitationPage = lazyRouteComponent(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage')
const ConfirmAddressPage = lazyRouteComponent(() => import('./pages/report-links/confirm-address-page.tsx'), 'ConfirmAddressPage')
const DownloadPage = lazyRouteComponent(() => import('./pages/report-links/download-page.tsx'), 'DownloadPage')
const UnsubscribePage = lazyRouteComponent(() => import('./pages/report-links/unsubscribe-page.tsx'), 'UnsubscribePage')
const HomePage = lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage')
const AskPage = lazyRouteComponent(() => import('./pages/ask/ask-page.tsx'), 'AskPage')
const BoardsPage = lazyRouteComponent(() => import('./pages/boards/list/boards-page.tsx'), 'BoardsPage')
const NewBoardPage = lazyRouteComponent(() => import('./pages/boards/new-board-page.tsx'), 'NewBoardPage')
const BoardPage = lazyRouteComponent(() => import('./pages/boards/board-page.tsx'), 'BoardPage')
const QueriesPage = lazyRouteComponent(() => import('./pages/queries/queries-page.tsx'), 'QueriesPage')
const NewQueryPage = lazyRouteComponent(() => import('./pages/query/new-query-page.tsx'), 'NewQueryPage')
const QueryPage = lazyRouteComponent(() => import('./pages/query/query-page.tsx'), 'QueryPage')
const EditReferencePage = lazyRouteComponent(() => import('./pages/query/edit-reference-page.tsx'), 'EditReferencePage')
const PermalinkPage = lazyRouteComponent(() => import('./pages/permalink/permalink-page.tsx'), 'PermalinkPage')
const TrashPage = lazyRouteComponent(() => import('./pages/trash/trash-page.tsx'), 'TrashPage')
const OwnRunsPage = lazyRouteComponent(() => import('./pages/runs/own-runs-page.tsx'), 'OwnRunsPage')
const RunPage = lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage')
const DatabasesPage = lazyRouteComponent(() => import('./pages/databases/databases-page.tsx'), 'DatabasesPage')
const DatabasePage = lazyRouteComponent(() => import('./pages/databases/database-page.tsx'), 'DatabasePage')
const AutomationsPage = lazyRouteComponent(() => import('./pages/automations/automations-page.tsx'), 'AutomationsPage')
const NewAutomationPage = lazyRouteComponent(() => import('./pages/automations/new-automation-page.tsx'), 'NewAutomationPage')
const AutomationPage = lazyRouteComponent(() => import('./pages/automations/automation-page.tsx'), 'AutomationPage')
const ChatsPage = lazyRouteComponent(() => import('./pages/chats/chats-page.tsx'), 'ChatsPage')
const ChatPage = lazyRouteComponent(() => import('./pages/chats/chat-page.tsx'), 'ChatPage')
const EvaluationPage = lazyRouteComponent(() => import('./pages/evaluations/evaluation-page.tsx'), 'EvaluationPage')
const ComparisonPage = lazyRouteComponent(() => import('./pages/evaluations/comparison-page.tsx'), 'ComparisonPage')
const EvaluationsPage = lazyRouteComponent(() => import('./pages/evaluations/evaluations-page.tsx'), 'EvaluationsPage')
const QuestionSetPage = lazyRouteComponent(() => import('./pages/evaluations/question-set-page.tsx'), 'QuestionSetPage')
const KnowledgePage = lazyRouteComponent(() => import('./pages/knowledge/knowledge-page.tsx'), 'KnowledgePage')
const NotificationsPage = lazyRouteComponent(() => import('./pages/notifications/notifications-page.tsx'), 'NotificationsPage')
const AccountPage = lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage')
const OrganizationPage = lazyRouteComponent(() => import('./pages/organization/organization-page.tsx'), 'OrganizationPage')
const AccessPage = lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage')
const MembersPage = lazyRouteComponent(() => import('./pages/organization/members-page.tsx'), 'MembersPage')
const AgentSettingsPage = lazyRouteComponent(() => import('./pages/agent-settings/agent-settings-page.tsx'), 'AgentSettingsPage')
const ChannelsPage = lazyRouteComponent(() => import('./pages/channels/channels-page.tsx'), 'ChannelsPage')
const AuditLogPage = lazyRouteComponent(() => import('./pages/audit-log/audit-log-page.tsx'), 'AuditLogPage')
const ResultHistoryPage = lazyRouteComponent(() => import('./pages/result-history/result-history-page.tsx'), 'ResultHistoryPage')
const StoragePage = lazyRouteComponent(() => import('./pages/storage/storage-page.tsx'), 'StoragePage')
const LineagePage = lazyRouteComponent(() => import('./pages/lineage/lineage-page.tsx'), 'LineagePage')
const TableUsersPage = lazyRouteComponent(() => import('./pages/lineage/table-users-page.tsx'), 'TableUsersPage')
const ResultsPage = lazyRouteComponent(() => import('./pages/permalink/past/results-page.tsx'), 'ResultsPage')
const SharingPage = lazyRouteComponent(() => import('./pages/sharing/sharing-page.tsx'), 'SharingPage')
const WebhooksPage = lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage')
const NewEndpointPage = lazyRouteComponent(() => import('./pages/webhooks/new-endpoint-page.tsx'), 'NewEndpointPage')
const EndpointPage = lazyRouteComponent(() => import('./pages/webhooks/endpoint-page.tsx'), 'EndpointPage')

const signIn = createRoute({
  getParentRoute: () => bare,
  path: '/sign-in',
  beforeLoad: async ({ context, location }) => {
    if (await sessionOf(context)) throw redirect({ href: returnToIn(location.searchStr, window.location.origin) })
  },
  component: SignInPage,
})

const unsubscribe = createRoute({
  getParentRoute: () => bare,
  path: '/reports/unsubscribe/$token',
  component: preloadedWith(UnsubscribePage, () => <UnsubscribePage token={unsubscribe.useParams().token} />),
})

const pagesForAnyone = [
  signIn,
  createRoute({ getParentRoute: () => bare, path: '/sign-in/second-step', component: SecondStepPage }),
  createRoute({ getParentRoute: () => bare, path: '/forgotten-password', component: ForgottenPasswordPage }),
  createRoute({ getParentRoute: () => bare, path: '/reset', component: ResetPage }),
  createRoute({ getParentRoute: () => bare, path: '/welcome', component: WelcomePage }),
  createRoute({ getParentRoute: () => bare, path: '/invitation', component: InvitationPage }),
  createRoute({ getParentRoute: () => bare, path: '/reports/confirm', component: ConfirmAddressPage }),
  createRoute({ getParentRoute: () => bare, path: '/reports/download', component: DownloadPage }),
  unsubscribe,
]

const getParentRoute = () => signedIn

/** The code of a page is loaded as soon as its route is known. */
function preloadedWith<Props>({ preload }: AsyncRouteComponent<Props>, component: () => ReactNode) {
  return Object.assign(component, { preload: () => preload?.() })
}

/** The list of queries used to be the home page, so links to a search lead there. */
const home = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad: ({ location }) => {
    if (isFiltered(filtersIn({ pathname: '/', search: location.searchStr }))) throw redirect({ href: `${paths.queries}${location.searchStr}` })
  },
  component: HomePage,
})
const board = createRoute({
  getParentRoute,
  path: '/b/$shortId',
  component: preloadedWith(BoardPage, () => {
    const { shortId } = board.useParams()
    return <BoardPage key={shortId} shortId={shortId} />
  }),
})
const query = createRoute({
  getParentRoute,
  path: '/queries/$queryId',
  component: preloadedWith(QueryPage, () => {
    const { queryId } = query.useParams()
    return <QueryPage key={queryId} queryId={queryId} />
  }),
})
const permalink = createRoute({
  getParentRoute,
  path: '/q/$shortId',
  component: preloadedWith(PermalinkPage, () => {
    const { shortId } = permalink.useParams()
    return <PermalinkPage key={shortId} shortId={shortId} />
  }),
})
const editReference = createRoute({
  getParentRoute,
  path: '/q/$shortId/edit',
  component: preloadedWith(EditReferencePage, () => {
    const { shortId } = editReference.useParams()
    return <EditReferencePage key={shortId} shortId={shortId} />
  }),
})
const lineage = createRoute({
  getParentRoute,
  path: '/q/$shortId/lineage',
  component: preloadedWith(LineagePage, () => {
    const { shortId } = lineage.useParams()
    return <LineagePage key={shortId} shortId={shortId} />
  }),
})
const tableUsers = createRoute({
  getParentRoute,
  path: '/databases/$id/users',
  component: preloadedWith(TableUsersPage, () => {
    const { id } = tableUsers.useParams()
    return <TableUsersPage key={id} databaseId={id} />
  }),
})
const results = createRoute({
  getParentRoute,
  path: '/q/$shortId/results',
  component: preloadedWith(ResultsPage, () => {
    const { shortId } = results.useParams()
    return <ResultsPage key={shortId} shortId={shortId} />
  }),
})
const run = createRoute({
  getParentRoute,
  path: '/runs/$runId',
  component: preloadedWith(RunPage, () => {
    const { runId } = run.useParams()
    return <RunPage key={runId} runId={runId} />
  }),
})
const database = createRoute({
  getParentRoute,
  path: '/databases/$id',
  component: preloadedWith(DatabasePage, () => {
    const { id } = database.useParams()
    return <DatabasePage key={id} id={id} />
  }),
})
const automation = createRoute({
  getParentRoute,
  path: '/automations/$id',
  component: preloadedWith(AutomationPage, () => {
    const { id } = automation.useParams()
    return <AutomationPage key={id} id={id} />
  }),
})
const chat = createRoute({
  getParentRoute,
  path: '/chats/$shortId',
  component: preloadedWith(ChatPage, () => {
    const { shortId } = chat.useParams()
    return <ChatPage key={shortId} shortId={shortId} />
  }),
})
const evaluation = createRoute({
  getParentRoute,
  path: '/evaluations/$id',
  component: preloadedWith(EvaluationPage, () => {
    const { id } = evaluation.useParams()
    return <EvaluationPage key={id} id={id} />
  }),
})
const questionSet = createRoute({
  getParentRoute,
  path: '/evaluations/sets/$id',
  component: preloadedWith(QuestionSetPage, () => {
    const { id } = questionSet.useParams()
    return <QuestionSetPage key={id} id={id} />
  }),
})
const knowledge = createRoute({
  getParentRoute,
  path: '/knowledge/$part',
  component: preloadedWith(KnowledgePage, () => <KnowledgePage part={knowledge.useParams().part} />),
})
const endpoint = createRoute({
  getParentRoute,
  path: '/settings/webhooks/$id',
  component: preloadedWith(EndpointPage, () => {
    const { id } = endpoint.useParams()
    return <EndpointPage key={id} id={id} />
  }),
})

const pagesForMembers = [
  home,
  createRoute({ getParentRoute, path: '/ask', component: AskPage }),
  createRoute({ getParentRoute, path: '/boards', component: BoardsPage }),
  createRoute({ getParentRoute, path: '/boards/new', component: NewBoardPage }),
  board,
  createRoute({ getParentRoute, path: '/queries', component: QueriesPage }),
  createRoute({ getParentRoute, path: '/folders/$id', component: QueriesPage }),
  createRoute({ getParentRoute, path: '/queries/new', component: NewQueryPage }),
  query,
  permalink,
  editReference,
  lineage,
  tableUsers,
  results,
  createRoute({ getParentRoute, path: '/runs', component: OwnRunsPage }),
  createRoute({ getParentRoute, path: '/trash', component: TrashPage }),
  run,
  createRoute({ getParentRoute, path: '/databases', component: DatabasesPage }),
  database,
  createRoute({ getParentRoute, path: '/automations', component: AutomationsPage }),
  createRoute({ getParentRoute, path: '/automations/new', component: NewAutomationPage }),
  automation,
  createRoute({ getParentRoute, path: '/chats', component: ChatsPage }),
  chat,
  createRoute({ getParentRoute, path: '/evaluations', component: EvaluationsPage }),
  createRoute({ getParentRoute, path: '/evaluations/compare', component: ComparisonPage }),
  evaluation,
  questionSet,
  createRoute({ getParentRoute, path: '/knowledge', component: KnowledgePage }),
  knowledge,
  createRoute({ getParentRoute, path: '/notifications', component: NotificationsPage }),
  createRoute({ getParentRoute, path: '/account', component: AccountPage }),
  createRoute({ getParentRoute, path: '/settings/organization', component: OrganizationPage }),
  createRoute({ getParentRoute, path: '/settings/members', component: MembersPage }),
  createRoute({ getParentRoute, path: '/settings/access', component: AccessPage }),
  createRoute({ getParentRoute, path: '/settings/agents', component: AgentSettingsPage }),
  createRoute({ getParentRoute, path: '/settings/channels', component: ChannelsPage }),
  createRoute({ getParentRoute, path: '/settings/audit-log', component: AuditLogPage }),
  createRoute({ getParentRoute, path: '/settings/result-history', component: ResultHistoryPage }),
  createRoute({ getParentRoute, path: '/settings/storage', component: StoragePage }),
  createRoute({ getParentRoute, path: '/settings/sharing', component: SharingPage }),
  createRoute({ getParentRoute, path: '/settings/webhooks', component: WebhooksPage }),
  createRoute({ getParentRoute, path: '/settings/webhooks/new', component: NewEndpointPage }),
  endpoint,
]

const routeTree = root.addChildren([signedIn.addChildren(pagesForMembers), bare.addChildren(pagesForAnyone)])

export function makeRouter(queryClient: QueryClient, addresses: RouterHistory = shareHistory(createBrowserHistory())) {
  return createRouter({
    routeTree,
    context: { queryClient },
    history: addresses,
    scrollRestoration: true,
    // Query parameters stay text. Parsing and serializing them as numbers could change them.
    parseSearch,
    stringifySearch,
    defaultPendingComponent: () => <div className="p-6"><Skeleton /></div>,
    defaultErrorComponent: PageFailed,
  })
}

/**
 * Loads the code of the first page while the session is read, and the data of a board before its page is rendered. Whatever fails is
 * loaded again by the page, which shows the error.
 */
export function preloadFirstPage(router: ReturnType<typeof makeRouter>): void {
  const { pathname, searchStr: search } = router.latestLocation
  const [, params, route] = router.getMatchedRoutes(pathname)
  if (!route) return
  const { queryClient } = router.options.context
  // The session is requested first, because everything else waits for it, and a browser loads only a few files at a time.
  const session = queryClient.ensureQueryData(sessionOptions)
  const isBoard = route.id === board.id
  const data = isBoard && preloadBoard(queryClient, { shortId: params['shortId']!, search, window: { width: window.innerWidth, height: window.innerHeight } })
  void Promise.allSettled([session, data, router.loadRouteChunk(route)])
}

/** Every value is a list, because the values of a list are repeated. */
function parseSearch(text: string): Record<string, string[]> {
  const given = new URLSearchParams(text)
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name)]))
}

function stringifySearch(search: Record<string, string | string[]>): string {
  const given = Object.entries(search).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/**
 * The path of a permalink that the service answered with 404, so that people don't sign in only to see that. In a browser that
 * doesn't expose the status, they see the same page after signing in.
 */
const missingPath = (() => {
  if (typeof performance === 'undefined' || typeof window === 'undefined') return undefined
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return loading?.responseStatus === 404 ? window.location.pathname : undefined
})()

const isMissing = (pathname: string) => missingPath !== undefined && pathname === missingPath
