import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'

export interface CollectedRoute {
  method: string
  /** As it was registered: `/app/api/automations/:id`. */
  url: string
  schema: FastifySchema | undefined
  config: RouteOptions['config']
}

/** Runs `build` and collects every route of the apps it creates, without the HEAD routes that Fastify adds. */
export async function collectRoutes<Built>(build: () => Promise<Built>): Promise<{ built: Built; routes: CollectedRoute[] }> {
  const routes: CollectedRoute[] = []
  const collect = (message: unknown) =>
    void (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, schema, config }) => {
      const methods = [method].flat().filter((each) => each !== 'HEAD')
      routes.push(...methods.map((each) => ({ method: each, url, schema, config })))
    })
  subscribe('fastify.initialization', collect)
  try {
    return { built: await build(), routes }
  } finally {
    unsubscribe('fastify.initialization', collect)
  }
}
