import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { newId } from '../domain/ids.ts'
import { makeKeyAuthenticator } from '../domain/people/key-authenticator.ts'
import { makeSessionReader } from '../domain/people/sessions.ts'
import type {
  AgentServices,
  AuditServices,
  DatabaseServices,
  PeopleServices,
  WebhookServices,
} from '../domain/services.ts'
import { addAllowedMethods, explainNoRoute, noSuchRoute } from './allowed-methods.ts'
import { noteKeyUse } from './note-key-use.ts'
import { makeKeyHook, makeOptionalCaller, makeOriginHook, makeSessionHook } from './authenticate.ts'
import { type BodyLimits, limitBodyTime } from './body-deadlines.ts'
import { addBodyParsers } from './body-parsers.ts'
import { clientAddress, isTrustedProxy, makeForwardingHint, type TrustProxy } from './client-address.ts'
import { makeClientErrorHandler, type ExplainUnknownMethod } from './client-errors.ts'
import { makeErrorHandler } from './errors.ts'
import { makeRetiredFinder, makeRetirementHook, type QueryApiSetting } from './query-api-retirement.ts'
import type { Document as OpenapiDocument } from './docs/reference/openapi-document.ts'
import { addOpenapi } from './openapi.ts'
import { makeLinkPreviews } from './pages/link-previews.ts'
import { readQueryIntegers } from './query-integers.ts'
import { auditLogRoutes } from './routes/app/audit-log-routes.ts'
import { accountRoutes } from './routes/app/account-routes.ts'
import { agentRunRoutes } from './routes/app/agent-run-routes.ts'
import { apiKeyRoutes } from './routes/app/api-key-routes.ts'
import { appAutomationRoutes } from './routes/app/app-automation-routes.ts'
import { chatRoutes } from './routes/app/chat-routes.ts'
import { dataConnectorRoutes } from './routes/app/data-connector-routes.ts'
import { databaseRoutes } from './routes/app/database-routes.ts'
import { deliveryRoutes } from './routes/app/delivery-routes.ts'
import { invitationRoutes } from './routes/app/invitation-routes.ts'
import { linkRoutes } from './routes/app/link-routes.ts'
import { memberRoutes } from './routes/app/member-routes.ts'
import { modelSettingsRoutes } from './routes/app/model-settings-routes.ts'
import { notificationRoutes } from './routes/app/notification-routes.ts'
import { oidcRoutes } from './routes/app/oidc-routes.ts'
import { organizationRoutes } from './routes/app/organization-routes.ts'
import { appQueryRoutes } from './routes/app/app-query-routes.ts'
import { appReferenceRoutes } from './routes/app/app-reference-routes.ts'
import { appRunRoutes } from './routes/app/app-run-routes.ts'
import { sessionRoutes } from './routes/app/session-routes.ts'
import { webhookEndpointRoutes } from './routes/app/webhook-endpoint-routes.ts'
import { automationRoutes } from './routes/automation-routes.ts'
import { chartImageRoutes } from './routes/chart-image-routes.ts'
import { docsRoutes } from './routes/docs-routes.ts'
import { makeStrictOriginHook, mcpRoutes } from './routes/mcp-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { meRoutes } from './routes/me-routes.ts'
import { pageRoutes } from './routes/page-routes.ts'
import { queryRoutes } from './routes/query-routes.ts'
import { referenceRoutes } from './routes/reference-routes.ts'
import { serviceRoutes } from './routes/service-routes.ts'
import { makeSecurityHeaders } from './security-headers.ts'
import { addEventStreams, type StreamLimits } from './server-sent-events.ts'
import { guardText } from './text-guard.ts'
import type { Api } from './typed.ts'
import type { Metrics } from '../domain/metrics.ts'
import { lazyCompilers } from './lazy-schemas.ts'

export interface AppOptions {
  services: PeopleServices & AuditServices & DatabaseServices & AgentServices & WebhookServices
  queryApi: QueryApiSetting
  metrics: Metrics
  /** Pino; one line per request. */
  logger: FastifyBaseLogger
  /** True for a worker, which serves only health checks and metrics. */
  isOnlyForOperator?: boolean
  /** Aborts when the process is asked to stop. Requests are still served, but `readyz` fails and connections are closed. */
  stopping?: AbortSignal
  /** Whose `X-Forwarded-For` header to trust. Null: none. */
  trustProxy?: TrustProxy | null
  streamLimits?: StreamLimits
  bodyLimits?: BodyLimits
  /** Compiles all schemas at the start instead of lazily. For a test that every schema compiles. */
  compilesAtStart?: boolean
}

const bodyLimitBytes = 1024 * 1024

/** The HTTP server, wired but not listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { services, metrics } = options
  const { baseUrl, clock } = services
  let isClosing = false
  const isStopping = () => isClosing || options.stopping?.aborted === true
  const findRetired = makeRetiredFinder({ setting: options.queryApi, clock })
  const explainUnknownMethod: ExplainUnknownMethod = (asked) => findRetired(asked.url) ?? explainNoRoute(app, asked)
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: isTrustedProxy(options.trustProxy ?? null),
    // How long a client may take to send its request, long enough to upload gigabytes over a slow connection. Other bodies have less
    // time (http/body-deadlines.ts), and headers have Node's default of a minute. Responses may take longer.
    requestTimeout: 1_800_000,
    forceCloseConnections: 'idle',
    // While stopping, requests on open connections are still served; `readyz` tells load balancers to send no more.
    return503OnClosing: false,
    clientErrorHandler: makeClientErrorHandler({ baseUrl, random: services.random, log: services.log, explainUnknownMethod }),
    genReqId: ({ headers }) => safeRequestId(headers['x-request-id']) ?? newId(services.random, 'req'),
    // An overlong id is simply not found; Node limits the whole URL to 16 KiB.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 16 * 1024 },
    ...(!options.compilesAtStart && { schemaController: { compilersFactory: lazyCompilers } }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
    frameworkErrors: (error, request, reply) => void answerUnroutable(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
  const answerError = makeErrorHandler({ baseUrl })
  const addSecurityHeaders = makeSecurityHeaders({ baseUrl })
  const checkRetirement = makeRetirementHook({ setting: options.queryApi, clock, baseUrl })
  /** A URL that cannot be decoded has no route, so no hook runs for it. */
  async function answerUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply) {
    await addSecurityHeaders(request, reply)
    try {
      await checkRetirement(request, reply)
    } catch (refusal) {
      return answerError(refusal, request, reply)
    }
    return answerError(error, request, reply)
  }

  app.decorateRequest('caller', undefined)
  app.decorateRequest('key', undefined)
  app.setErrorHandler(answerError)
  addAllowedMethods(app)
  app.setNotFoundHandler((request, reply) => {
    throw noSuchRoute(request, reply)
  })
  addBodyParsers(app)
  limitBodyTime(app, { clock, limits: options.bodyLimits })
  app.addHook('onRequest', addSecurityHeaders)
  app.addHook('onRequest', checkRetirement)
  if (!options.trustProxy) app.addHook('onRequest', makeForwardingHint(services.log))
  app.addHook('preValidation', guardText)
  app.addHook('preValidation', readQueryIntegers)
  app.addHook('onResponse', async (request, reply) => {
    const ended = {
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    metrics.requestEnded(ended)
    noteKeyUse(services.keyUse, request, ended)
    request.log.info(
      {
        requestId: request.id,
        ...ended,
        address: clientAddress(request),
        organizationId: request.caller?.organizationId,
        by: request.caller?.triggerId,
      },
      'request completed',
    )
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Idle connections are closed when stopping begins. A busy one must close after its response, or it would delay the exit.
    if (isStopping()) reply.header('connection', 'close')
    done()
  })

  const sessionCaller = makeSessionReader(services)
  const authenticateKey = makeKeyAuthenticator(services)
  addEventStreams(app, { clock, sessionCaller, authenticateKey, limits: options.streamLimits })
  await app.register(cookie)
  await addOpenapi(app, { baseUrl })
  serviceRoutes(app, { ...services, metrics: metrics.registry, isStopping })
  if (options.isOnlyForOperator) return app
  const callerOf = makeOptionalCaller(sessionCaller)
  pageRoutes(app, services, { linkPreviews: makeLinkPreviews(services, callerOf) })
  chartImageRoutes(app, services, callerOf)
  docsRoutes(app, () => app.swagger() as unknown as OpenapiDocument)

  const keyHook = makeKeyHook(authenticateKey)
  await app.register(async (mcp: Api) => {
    mcp.addHook('onRequest', makeStrictOriginHook({ baseUrl }))
    mcp.addHook('onRequest', keyHook)
    mcpRoutes(mcp, services)
  })

  await app.register(async (api: Api) => {
    api.addHook('onRequest', keyHook)
    meRoutes(api, services)
    automationRoutes(api, services)
    eventRoutes(api, services)
    referenceRoutes(api, services)
    queryRoutes(api, services)
  })

  await app.register(async (open: Api) => {
    open.addHook('onRequest', makeOriginHook({ baseUrl }))
    await open.register(async (signedIn: Api) => {
      signedIn.addHook('onRequest', makeSessionHook(sessionCaller))
      sessionRoutes(open, signedIn, services)
      linkRoutes(open, services)
      oidcRoutes(open, services)
      invitationRoutes(open, signedIn, { ...services, sessionCaller })
      accountRoutes(signedIn, services)
      memberRoutes(signedIn, services)
      apiKeyRoutes(signedIn, services)
      databaseRoutes(signedIn, services)
      appQueryRoutes(signedIn, services)
      appReferenceRoutes(signedIn, services)
      appRunRoutes(signedIn, services)
      organizationRoutes(signedIn, services)
      notificationRoutes(signedIn, services)
      webhookEndpointRoutes(signedIn, services)
      deliveryRoutes(signedIn, services)
      appAutomationRoutes(signedIn, services)
      agentRunRoutes(signedIn, services)
      chatRoutes(signedIn, services)
      modelSettingsRoutes(signedIn, services)
      dataConnectorRoutes(signedIn, services)
      auditLogRoutes(signedIn, services)
    })
  })
  return app
}

/** Callers may send a request id to correlate their log with the service's. Anything that is not a plain id is replaced. */
function safeRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,64}$/.test(header) ? header : undefined
}

/** A repeated parameter becomes a list, which schemas reject, rather than one of its values being picked. */
function parseQueryString(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/** The catch-all route is reported as `unknown`. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return url === undefined || url === '/*' ? 'unknown' : url
}
