import type { FastifyInstance } from 'fastify'
import type { makeKeyAuthenticator } from '../domain/people/key-authenticator.ts'
import type { makeSessionReader } from '../domain/people/sessions.ts'
import type {
  AuditServices,
  DatabaseServices,
  PeopleServices,
  ReportServices,
  RetentionServices,
  WebhookServices,
} from '../domain/services.ts'
import {
  makeKeyHook,
  makeOptionalCaller,
  makeOriginHook,
  makeSessionHook,
  requireDeclaredScope,
  showOnlyVisible,
} from './authenticate.ts'
import { makeChatWatcher } from '../domain/chats/watch-chats.ts'
import type { Document as OpenapiDocument } from './docs/reference/openapi-document.ts'
import { type ApiLimits, makeApiLimiter } from '../domain/api-limits/api-limits.ts'
import { addIdempotency } from './idempotency.ts'
import { makeLinkPreviews } from './pages/link-previews.ts'
import { accessRoutes } from './routes/app/access-routes.ts'
import { accountRoutes } from './routes/app/account-routes.ts'
import { agentRunRoutes } from './routes/app/agent-run-routes.ts'
import { apiKeyRoutes } from './routes/app/api-key-routes.ts'
import { appAutomationRoutes } from './routes/app/app-automation-routes.ts'
import { appBoardRoutes } from './routes/app/app-board-routes.ts'
import { appChangeFeedRoutes } from './routes/app/app-change-feed-routes.ts'
import { appChatRoutes } from './routes/app/app-chat-routes.ts'
import { appDbtRoutes } from './routes/app/app-dbt-routes.ts'
import { appEvaluationRoutes } from './routes/app/app-evaluation-routes.ts'
import { appFolderRoutes } from './routes/app/app-folder-routes.ts'
import { appHistoryRoutes } from './routes/app/app-history-routes.ts'
import { appLineageRoutes } from './routes/app/app-lineage-routes.ts'
import { appQueryRoutes } from './routes/app/app-query-routes.ts'
import { appReferenceRoutes } from './routes/app/app-reference-routes.ts'
import { appRunRoutes } from './routes/app/app-run-routes.ts'
import { auditLogRoutes } from './routes/app/audit-log-routes.ts'
import { bulkRoutes } from './routes/app/bulk-routes.ts'
import { dataConnectorRoutes } from './routes/app/data-connector-routes.ts'
import { channelRoutes } from './routes/app/channel-routes.ts'
import { databaseRoutes } from './routes/app/database-routes.ts'
import { deliveryRoutes } from './routes/app/delivery-routes.ts'
import { commentRoutes } from './routes/app/comment-routes.ts'
import { gitRepositoryRoutes } from './routes/app/git-repository-routes.ts'
import { invitationRoutes } from './routes/app/invitation-routes.ts'
import { itemRoutes } from './routes/app/item-routes.ts'
import { knowledgeRoutes } from './routes/app/knowledge-routes.ts'
import { linkRoutes } from './routes/app/link-routes.ts'
import { managedItemRoutes } from './routes/app/managed-item-routes.ts'
import { memberRoutes } from './routes/app/member-routes.ts'
import { modelBudgetRoutes } from './routes/app/model-budget-routes.ts'
import { modelSettingsRoutes } from './routes/app/model-settings-routes.ts'
import { notificationRoutes } from './routes/app/notification-routes.ts'
import { oidcRoutes } from './routes/app/oidc-routes.ts'
import { organizationRoutes } from './routes/app/organization-routes.ts'
import { referenceVersionRoutes } from './routes/app/reference-version-routes.ts'
import { publicLinkRoutes } from './routes/app/public-link-routes.ts'
import { oneClickUnsubscribe, reportLinkRoutes } from './routes/app/report-link-routes.ts'
import { reportRoutes } from './routes/app/report-routes.ts'
import { searchRoutes } from './routes/app/search-routes.ts'
import { secondFactorRoutes } from './routes/app/second-factor-routes.ts'
import { sessionRoutes } from './routes/app/session-routes.ts'
import { storageRoutes } from './routes/app/storage-routes.ts'
import { webhookEndpointRoutes } from './routes/app/webhook-endpoint-routes.ts'
import { automationRoutes } from './routes/automation-routes.ts'
import { boardRoutes } from './routes/board-routes.ts'
import { changeFeedRoutes } from './routes/change-feed-routes.ts'
import { chartImageRoutes } from './routes/chart-image-routes.ts'
import { chatRoutes } from './routes/chat-routes.ts'
import { dbtRoutes } from './routes/dbt-routes.ts'
import { docsRoutes } from './routes/docs-routes.ts'
import { makeLimitHook } from './limit-requests.ts'
import { embeddingRoutes } from './routes/app/embedding-routes.ts'
import { evaluationRoutes } from './routes/evaluation-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { folderRoutes } from './routes/folder-routes.ts'
import { gitPushRoutes } from './routes/git-push-routes.ts'
import { historyRoutes } from './routes/history-routes.ts'
import { lineageRoutes } from './routes/lineage-routes.ts'
import { makeStrictOriginHook, mcpRoutes } from './routes/mcp-routes.ts'
import { meRoutes } from './routes/me-routes.ts'
import { metricRoutes } from './routes/metric-routes.ts'
import { pageRoutes } from './routes/page-routes.ts'
import { publishedAutomationRoutes } from './routes/published-automation-routes.ts'
import { publishedDatabaseRoutes } from './routes/published-database-routes.ts'
import { publishedEndpointRoutes } from './routes/published-endpoint-routes.ts'
import { projectRoutes } from './routes/project-routes.ts'
import { proofRoutes } from './routes/proof-routes.ts'
import { queryRoutes } from './routes/query-routes.ts'
import { referenceRoutes } from './routes/reference-routes.ts'
import { savedQueryRoutes } from './routes/saved-query-routes.ts'
import { slackEventRoutes } from './routes/slack-event-routes.ts'
import { embedViewRoutes } from './routes/shared/embed-view-routes.ts'
import { publicLinkViewRoutes } from './routes/shared/public-link-view-routes.ts'
import type { Api } from './typed.ts'

export type AppServices = PeopleServices & AuditServices & DatabaseServices & ReportServices & WebhookServices & RetentionServices

/** Everything that people and programs request: pages, the API, MCP and the documentation. */
export async function addRoutes(
  app: FastifyInstance,
  options: {
    services: AppServices
    sessionCaller: ReturnType<typeof makeSessionReader>
    authenticateKey: ReturnType<typeof makeKeyAuthenticator>
    apiLimits: ApiLimits
  },
): Promise<void> {
  const { services, sessionCaller, authenticateKey } = options
  const { baseUrl } = services
  const callerOf = makeOptionalCaller(sessionCaller)
  pageRoutes(app, services, { linkPreviews: makeLinkPreviews(services, callerOf) })
  chartImageRoutes(app, services, callerOf)
  oneClickUnsubscribe(app, services)
  slackEventRoutes(app, services)
  gitPushRoutes(app, services)
  docsRoutes(app, () => app.swagger() as unknown as OpenapiDocument)

  const chatWatcher = makeChatWatcher(services)
  const keyHook = makeKeyHook(authenticateKey)
  const takeRequest = makeApiLimiter(services, options.apiLimits)
  const limitHook = takeRequest && makeLimitHook(takeRequest)
  await app.register(async (mcp: Api) => {
    mcp.addHook('onRequest', makeStrictOriginHook({ baseUrl }))
    mcp.addHook('onRequest', keyHook)
    if (limitHook) mcp.addHook('onRequest', limitHook)
    showOnlyVisible(mcp)
    mcpRoutes(mcp, services)
  })

  await app.register(async (api: Api) => {
    api.addHook('onRoute', requireDeclaredScope)
    api.addHook('onRequest', keyHook)
    if (limitHook) api.addHook('onRequest', limitHook)
    showOnlyVisible(api)
    addIdempotency(api, services)
    meRoutes(api, services)
    automationRoutes(api, services)
    publishedAutomationRoutes(api, services)
    publishedEndpointRoutes(api, services)
    publishedDatabaseRoutes(api, services)
    savedQueryRoutes(api, services)
    chatRoutes(api, { ...services, chatWatcher })
    proofRoutes(api, services)
    evaluationRoutes(api, services)
    metricRoutes(api, services)
    projectRoutes(api, services)
    dbtRoutes(api, services)
    eventRoutes(api, services)
    boardRoutes(api, services)
    folderRoutes(api, services)
    referenceRoutes(api, services)
    queryRoutes(api, services)
    historyRoutes(api, services)
    changeFeedRoutes(api, services)
    lineageRoutes(api, services)
  })

  await app.register(async (api: Api) => publicLinkViewRoutes(api, services))
  await app.register(async (api: Api) => embedViewRoutes(api, services))

  await app.register(async (open: Api) => {
    open.addHook('onRequest', makeOriginHook({ baseUrl }))
    await open.register(async (links: Api) => reportLinkRoutes(links, services))
    await open.register(async (signedIn: Api) => {
      signedIn.addHook('onRequest', makeSessionHook(sessionCaller))
      showOnlyVisible(signedIn)
      sessionRoutes(open, signedIn, services)
      secondFactorRoutes(open, signedIn, services)
      linkRoutes(open, services)
      oidcRoutes(open, services)
      invitationRoutes(open, signedIn, { ...services, sessionCaller })
      accountRoutes(signedIn, services)
      memberRoutes(signedIn, services)
      accessRoutes(signedIn, services)
      apiKeyRoutes(signedIn, services)
      databaseRoutes(signedIn, services)
      appQueryRoutes(signedIn, services)
      appReferenceRoutes(signedIn, services)
      appRunRoutes(signedIn, services)
      appBoardRoutes(signedIn, services)
      appFolderRoutes(signedIn, services)
      managedItemRoutes(signedIn, services)
      itemRoutes(signedIn, services)
      referenceVersionRoutes(signedIn, services)
      appHistoryRoutes(signedIn, services)
      appChangeFeedRoutes(signedIn, services)
      appLineageRoutes(signedIn, services)
      bulkRoutes(signedIn, services)
      commentRoutes(signedIn, services)
      publicLinkRoutes(signedIn, services)
      embeddingRoutes(signedIn, services)
      gitRepositoryRoutes(signedIn, services)
      searchRoutes(signedIn, services)
      organizationRoutes(signedIn, services)
      notificationRoutes(signedIn, services)
      webhookEndpointRoutes(signedIn, services)
      deliveryRoutes(signedIn, services)
      appAutomationRoutes(signedIn, services)
      agentRunRoutes(signedIn, services)
      channelRoutes(signedIn, services)
      reportRoutes(signedIn, services)
      appChatRoutes(signedIn, { ...services, chatWatcher })
      knowledgeRoutes(signedIn, services)
      appDbtRoutes(signedIn, services)
      modelSettingsRoutes(signedIn, services)
      modelBudgetRoutes(signedIn, services)
      appEvaluationRoutes(signedIn, services)
      dataConnectorRoutes(signedIn, services)
      auditLogRoutes(signedIn, services)
      storageRoutes(signedIn, services)
    })
  })
}
