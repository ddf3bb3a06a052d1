import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CollectedRoute, collectRoutes } from '../../testing/http/collect-routes.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

/** Every route of the web app declares its request and response, because the web app's types are generated from them. */
let service: TestService
let pageRoutes: CollectedRoute[]
beforeAll(async () => {
  const { built, routes } = await collectRoutes(() => startTestService('postgres', { worker: false }))
  service = built
  pageRoutes = routes.filter(({ url }) => url.startsWith('/app/api/'))
})
afterAll(() => service.stop())

/** A description of what a route lacks. */
function lacking({ method, url, schema, config }: CollectedRoute): string[] {
  const successes = Object.entries((schema?.response ?? {}) as Record<string, object>).filter(([status]) => /^[23]/.test(status))
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(method) && !config?.takesNoBody && !config?.takesFile
  const named = Object.keys((schema?.params as { properties?: object } | undefined)?.properties ?? {})
  const inPath = Array.from(url.matchAll(/:(\w+)/g), ([, name]) => name!)
  const isStream = successes.some(([, answer]) => 'content' in answer && 'text/event-stream' in (answer.content as object))
  return [
    ...(successes.length === 0 ? ['an answer'] : []),
    ...(takesBody && !schema?.body ? ['a body'] : []),
    ...(inPath.join() === named.join() ? [] : ['its params']),
    ...(isStream === (config?.isEventStream ?? false) ? [] : ['that it is a stream of events, once']),
  ].map((what) => `${method} ${url}: ${what}`)
}

test('every route of the web app has schemas for its params, body and response, or declares that there is none', () => {
  expect(pageRoutes.length).toBeGreaterThan(100)
  expect(pageRoutes.flatMap(lacking)).toEqual([])
})

test('detects a route without schemas', () => {
  const bare = { method: 'PATCH', url: '/app/api/things/:id', schema: undefined, config: undefined }
  expect(lacking(bare)).toEqual(['an answer', 'a body', 'its params'].map((what) => `PATCH /app/api/things/:id: ${what}`))
  const described = { params: { properties: { id: {} } }, response: { 204: {} } }
  expect(lacking({ ...bare, schema: described, config: { takesNoBody: true } })).toEqual([])
})

test('every object in a response has a title, which becomes the name of its type', () => {
  const untitled = pageRoutes.flatMap(({ method, url, schema }) =>
    Object.values((schema?.response ?? {}) as Record<string, Answered>).flatMap((answer) => {
      const shapes = answer.properties?.['items'] ? [answer.properties['items'].items!] : [answer]
      return shapes.filter(({ properties, title }) => properties && !title).map(() => `${method} ${url}`)
    }),
  )
  expect(untitled).toEqual([])
})

interface Answered {
  title?: string
  properties?: Record<string, Answered>
  items?: Answered
}
