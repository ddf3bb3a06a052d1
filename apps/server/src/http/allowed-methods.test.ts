import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { explainNoRoute } from './allowed-methods.ts'
import { expectRefusal } from '../../testing/http/requests.ts'

const everyMethod: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
/** `/mcp` handles these itself, with a 405 as JSON-RPC. */
const answeredByMcp = new Set(['GET /mcp', 'HEAD /mcp', 'DELETE /mcp'])

describe('an existing path', () => {
  let service: TestService
  const routes: { methods: string[]; url: string }[] = []
  beforeAll(async () => {
    const collect = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url }) => {
        routes.push({ methods: [method].flat(), url })
      })
    }
    subscribe('fastify.initialization', collect)
    service = await startTestService('postgres', { worker: false })
    await service.app.ready()
    unsubscribe('fastify.initialization', collect)
  })
  afterAll(() => service.stop())

  test('returns 405 with Allow for every other method, before authentication', async () => {
    const paths = new Set(routes.map(({ url }) => url).filter((url) => url !== '/*'))
    expect(paths.size).toBeGreaterThan(100)
    const wrong: string[] = []
    for (const url of paths) {
      const path = url.replaceAll(/:\w+/g, 'x').replace('*', 'x')
      // Another route's pattern may match the same path, such as `:id` for `upload`.
      const matching = routes.filter((route) => fits(route.url, path))
      const real = matching.flatMap(({ methods, url: of }) => methods.filter((method) => !answeredByMcp.has(`${method} ${of}`)))
      const allow = [...new Set(real)].toSorted().join(', ')
      for (const method of everyMethod.filter((one) => !real.includes(one))) {
        if (answeredByMcp.has(`${method} ${url}`)) continue
        const answer = await service.app.inject({ method: method as 'GET', url: path })
        const code = method === 'HEAD' ? 'method_not_allowed' : answer.json<{ code: string }>().code
        const isRight = answer.statusCode === 405 && code === 'method_not_allowed' && answer.headers['allow'] === allow
        if (!isRight) wrong.push(`${method} ${path}: ${answer.statusCode} ${code} ${String(answer.headers['allow'])}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['PUT', '/mcp', 'POST'],
    ['OPTIONS', '/app/api/databases/upload', 'DELETE, GET, HEAD, PATCH, POST'],
    ['DELETE', '/app/%61pi/session/organization?a=b', 'POST'],
    ['POST', '/q/abc%2Fdef', 'GET, HEAD'],
  ] as const)('%s %s: Allow is %s', async (method, url, allow) => {
    const answer = await service.app.inject({ method, url })
    expectRefusal(answer, 'method_not_allowed', { message: new RegExp(`Use ${allow}\\.$`) })
    expect(answer.headers['allow']).toBe(allow)
  })

  test.each([
    ['POST', '/'.repeat(3)],
    ['DELETE', '/api/nothing'],
    ['GET', '/api/queries/a/b/c'],
    ['POST', '/docs-nothing'],
    ['GET', '/docs/nothing'],
    ['OPTIONS', '*'],
  ] as const)('%s %s is still 404: there is no such path', async (method, url) => {
    const answer = await service.app.inject({ method, url })
    expectRefusal(answer, 'route_not_found')
    expect(answer.headers['allow']).toBeUndefined()
  })
})

test('a route that finds nothing at its path returns 404, not 405', () => {
  const app = { methodsAt: () => ['GET', 'HEAD'] }
  expect(explainNoRoute(app, { method: 'GET', url: '/docs/nothing' }).code).toBe('route_not_found')
  expect(explainNoRoute(app, { method: 'POST', url: '/docs/nothing' }).code).toBe('method_not_allowed')
})

/** The router's rule, for paths without encoded characters. */
function fits(url: string, path: string): boolean {
  const [pieces, given] = [url.split('/'), path.split('/')]
  if (url === '/*') return false
  if (url.endsWith('/*')) return path.startsWith(url.slice(0, -1))
  return pieces.length === given.length && pieces.every((piece, index) => piece.startsWith(':') || piece === given[index])
}
