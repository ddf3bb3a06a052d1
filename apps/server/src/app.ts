import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Role } from './config.ts'
import { newId } from './domain/ids.ts'
import { makeKeyAuthenticator } from './domain/people/key-authenticator.ts'
import { makeSessionReader } from './domain/people/sessions.ts'
import { addAllowedMethods, judgeNoRoute, noSuchRoute } from './http/allowed-methods.ts'
import { noteKeyUse } from './http/note-key-use.ts'
import { makeKeyHook, makeOptionalCaller, makeOriginHook, makeSessionHook } from './http/authenticate.ts'
import { type BodyLimits, limitBodyTime } from './http/body-deadlines.ts'
import { addBodyParsers } from './http/body-parsers.ts'
import { clientAddress, isTrustedProxy, makeForwardingHint, type TrustProxy } from './http/client-address.ts'
import { makeClientErrorHandler, type UnknownMethodJudge } from './http/client-errors.ts'
import { makeErrorHandler } from './http/errors.ts'
import { lazyCompilers } from './http/lazy-schemas.ts'
import { makeRetiredFinder, makeRetirement, type QueryApiSetting } from './http/lifecycle.ts'
import { addOpenapi } from './http/openapi.ts'
import { makeLinkPreviews } from './http/pages/link-previews.ts'
import { readQueryIntegers } from './http/query-integers.ts'
import { auditLogRoutes } from './http/routes/app/audit-log.ts'
import { accountRoutes } from './http/routes/app/account.ts'
import { agentRunRoutes } from './http/routes/app/agent-runs.ts'
import { apiKeyRoutes } from './http/routes/app/api-keys.ts'
import { appAutomationRoutes } from './http/routes/app/automations.ts'
import { chatRoutes } from './http/routes/app/chats.ts'
import { dataConnectorRoutes } from './http/routes/app/data-connectors.ts'
import { databaseRoutes } from './http/routes/app/databases.ts'
import { deliveryRoutes } from './http/routes/app/deliveries.ts'
import { invitationRoutes } from './http/routes/app/invitations.ts'
import { linkRoutes } from './http/routes/app/links.ts'
import { memberRoutes } from './http/routes/app/members.ts'
import { modelSettingsRoutes } from './http/routes/app/model-settings.ts'
import { notificationRoutes } from './http/routes/app/notifications.ts'
import { oidcRoutes } from './http/routes/app/oidc.ts'
import { organizationRoutes } from './http/routes/app/organization.ts'
import { appQueryRoutes } from './http/routes/app/queries.ts'
import { appReferenceRoutes } from './http/routes/app/references.ts'
import { appRunRoutes } from './http/routes/app/runs.ts'
import { sessionRoutes } from './http/routes/app/session.ts'
import { webhookEndpointRoutes } from './http/routes/app/webhook-endpoints.ts'
import { automationRoutes } from './http/routes/automations.ts'
import { chartImageRoutes } from './http/routes/chart-image.ts'
import { docsRoutes } from './http/routes/docs.ts'
import { makeStrictOriginHook, mcpRoutes } from './http/routes/mcp.ts'
import { eventRoutes } from './http/routes/events.ts'
import { meRoutes } from './http/routes/me.ts'
import { pageRoutes } from './http/routes/pages.ts'
import { queryRoutes } from './http/routes/queries.ts'
import { referenceRoutes } from './http/routes/references.ts'
import { serviceRoutes } from './http/routes/service.ts'
import { makeSecurityHeaders } from './http/security-headers.ts'
import { addEventStreams, type StreamLimits } from './http/server-sent-events.ts'
import { guardText } from './http/text-guard.ts'
import type { Api } from './http/typed.ts'
import type { Metrics } from './metrics.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  services: Services
  queryApi: QueryApiSetting
  metrics: Metrics
  /** Pino; one line a request. */
  logger: FastifyBaseLogger
  /** A worker answers only for its operator. */
  role?: Role
  /** Aborts when the process is asked to stop: from then on it answers as ever, and tells to send no more. */
  stopping?: AbortSignal
  /** Which proxies' `X-Forwarded-For` is believed. Null: none. */
  trustProxy?: TrustProxy | null
  streamLimits?: StreamLimits
  bodyLimits?: BodyLimits
  /** Compiles the schemas of all routes before the first request, not each with its own. For a test that none is wrong. */
  compilesAtStart?: boolean
}

const bodyLimitBytes = 1024 * 1024

/** The HTTP side, wired but not listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { services, metrics } = options
  const { baseUrl, clock } = services
  let isClosing = false
  const isStopping = () => isClosing || options.stopping?.aborted === true
  const findRetired = makeRetiredFinder({ setting: options.queryApi, clock })
  const judgeUnknownMethod: UnknownMethodJudge = (asked) => findRetired(asked.url) ?? judgeNoRoute(app, asked)
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: isTrustedProxy(options.trustProxy ?? null),
    // How long a client may take to send its request: an upload of gigabytes over a slow line. Other bodies have less time
    // (http/body-deadlines.ts), and headers have Node's minute. Answers may take longer.
    requestTimeout: 1_800_000,
    forceCloseConnections: 'idle',
    // While stopping, what still arrives on open connections is answered as ever; `readyz` tells to send no more.
    return503OnClosing: false,
    clientErrorHandler: makeClientErrorHandler({ baseUrl, random: services.random, log: services.log, judgeUnknownMethod }),
    genReqId: ({ headers }) => safeRequestId(headers['x-request-id']) ?? newId(services.random, 'req'),
    // An id of any length is looked at and not found; Node bounds the whole address at 16 KiB.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 16 * 1024 },
    ...(!options.compilesAtStart && { schemaController: { compilersFactory: lazyCompilers } }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
    frameworkErrors: (error, request, reply) => void answerUnroutable(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
  const answerError = makeErrorHandler({ baseUrl })
  const addSecurityHeaders = makeSecurityHeaders({ baseUrl })
  const judgeRetirement = makeRetirement({ setting: options.queryApi, clock, baseUrl })
  /** An address that cannot be decoded leads to no route, so no hook runs for it. */
  async function answerUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply) {
    await addSecurityHeaders(request, reply)
    try {
      await judgeRetirement(request, reply)
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
  app.addHook('onRequest', judgeRetirement)
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
      'request',
    )
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Idle connections are closed when stopping begins; one that was in use then would keep the process for as long as it may idle.
    if (isStopping()) reply.header('connection', 'close')
    done()
  })

  const sessionCaller = makeSessionReader(services)
  const authenticateKey = makeKeyAuthenticator(services)
  addEventStreams(app, { clock, sessionCaller, authenticateKey, limits: options.streamLimits })
  await app.register(cookie)
  await addOpenapi(app, { baseUrl })
  serviceRoutes(app, { ...services, metrics: metrics.registry, isStopping })
  if (options.role === 'worker') return app
  const callerOf = makeOptionalCaller(sessionCaller)
  pageRoutes(app, services, { linkPreviews: makeLinkPreviews(services, callerOf) })
  chartImageRoutes(app, services, callerOf)
  docsRoutes(app)

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

/** A caller may name its request, so that its log and ours can be held together; anything odd is replaced. */
function safeRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,64}$/.test(header) ? header : undefined
}

/** A parameter that is given twice becomes a list, which no schema accepts: it is refused, not guessed at. */
function parseQueryString(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/** What answers for all other addresses is no route of its own. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return url === undefined || url === '/*' ? 'unknown' : url
}
