import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { BaseServices } from '../../domain/services.ts'
import { pingStore } from '../../store/ping-store.ts'

/** For operators. `healthz`: the process is alive. `readyz`: it can serve requests. */
export function serviceRoutes(
  app: FastifyInstance,
  services: Pick<BaseServices, 'db'> & { metrics: Registry; isStopping(): boolean },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    if (services.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await pingStore(services.db)
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: store unreachable')
      return reply.code(503).send({ status: 'store unreachable' })
    }
  })

  app.get('/metrics', async (_request, reply) => {
    const text = await services.metrics.metrics()
    return reply.type(services.metrics.contentType).send(text)
  })
}
