import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type ApiLimits, noApiLimits } from '../domain/api-limits/api-limits.ts'
import { newId } from '../domain/ids.ts'
import { makeKeyAuthenticator } from '../domain/people/key-authenticator.ts'
import { makeSessionReader } from '../domain/people/sessions.ts'
import type { AppServices } from './add-routes.ts'
import { addAllowedMethods, explainNoRoute, noSuchRoute } from './allowed-methods.ts'
import { noteKeyUse } from './note-key-use.ts'
import { type BodyLimits, limitBodyTime } from './body-deadlines.ts'
import { addBodyParsers } from './body-parsers.ts'
import { closeSilentConnections } from './close-silent-connections.ts'
import { clientAddress, isTrustedProxy, makeForwardingHint, type TrustProxy } from './client-address.ts'
import { makeClientErrorHandler, type ExplainUnknownMethod } from './client-errors.ts'
import { makeErrorHandler } from './errors.ts'
import { makeRetiredFinder, makeRetirementHook, type QueryApiSetting } from './query-api-retirement.ts'
import { addOpenapi } from './openapi.ts'
import { readQueryIntegers } from './query-integers.ts'
import { serviceRoutes } from './routes/service-routes.ts'
import { makeSecurityHeaders } from './security-headers.ts'
import { addEventStreams, type StreamLimits } from './server-sent-events.ts'
import { guardText } from './text-guard.ts'
import type { Metrics } from '../domain/metrics.ts'
import type { Tracer } from '../ports/telemetry/spans.ts'
import { traceRequests } from './trace-requests.ts'
import { lazyCompilers } from './lazy-schemas.ts'

export interface AppOptions {
  services: AppServices
  queryApi: QueryApiSetting
  metrics: Metrics
  /** Left out if there are no traces. */
  tracer?: Tracer | undefined
  /** Pino; one line per request. */
  logger: FastifyBaseLogger
  /** True for a worker, which serves only health checks and metrics. */
  isOnlyForOperator?: boolean
  /** Aborts when the process is asked to stop. Requests are still served, but `readyz` fails and connections are closed. */
  stopping?: AbortSignal
  /** Whose `X-Forwarded-For` header to trust. Null: none. */
  trustProxy?: TrustProxy | null
  streamLimits?: StreamLimits
  /** Default: none. */
  apiLimits?: ApiLimits
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
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: bodyLimitBytes,
    // A machine that is busy or has a slow disk may take long to start. That is no reason to give up.
    pluginTimeout: 0,
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
    // OpenAPI's `style` and `explode` describe how a search parameter is written, and validate nothing.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true, keywords: ['style', 'explode'] } },
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

  if (options.tracer) traceRequests(app, options.tracer)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('key', undefined)
  app.decorateRequest('ahead', undefined)
  app.setErrorHandler(answerError)
  addAllowedMethods(app)
  app.setNotFoundHandler((request, reply) => {
    throw noSuchRoute(request, reply)
  })
  addBodyParsers(app)
  limitBodyTime(app, { clock, limits: options.bodyLimits })
  closeSilentConnections(app)
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
  // Loaded only where they are served: most of the service's code is behind them, and a worker starts faster without it.
  const { addRoutes } = await import('./add-routes.ts')
  await addRoutes(app, { services, sessionCaller, authenticateKey, apiLimits: options.apiLimits ?? noApiLimits })
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
