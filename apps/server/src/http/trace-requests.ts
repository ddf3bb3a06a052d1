import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StartedSpan, Tracer } from '../ports/telemetry/spans.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: StartedSpan | undefined
  }
}

/** Asked every few seconds by supervisors and Prometheus. */
const untracedRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * A span for each request, in the trace of its `traceparent` header if it has one. It names the route, never the path, which may
 * contain the token of a link.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    if (route !== undefined && untracedRoutes.has(route)) return done()
    request.span = tracer.start({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      kind: 'server',
      parent: request.headers['traceparent'],
      attributes: { 'http.request.method': request.method, 'http.route': route, 'querypost.request.id': request.id },
    })
    request.span.run(done)
  })
  // Reading the body leaves the asynchronous context of the first hook.
  app.addHook('preValidation', (request, _reply, done) => (request.span ? request.span.run(done) : done()))
  app.addHook('onResponse', async (request, reply) => endSpan(request, reply.statusCode))
}

function endSpan({ span, caller }: FastifyRequest, status: number): void {
  if (!span) return
  span.set({ 'http.response.status_code': status, 'querypost.organization.id': caller?.organizationId })
  if (status >= 500) span.fail(String(status))
  span.end()
}
