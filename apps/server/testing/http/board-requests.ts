import type { LightMyRequestResponse } from 'fastify'
import type { TestPerson, TestService } from '../test-service.ts'

/** Changes and deletes boards through the pages' routes, with the version that the caller has read. */
export const boardRequests = (service: TestService) => ({
  change: (person: TestPerson, shortId: string, version: number | string | undefined, body: object) =>
    service.app.inject({
      method: 'PATCH',
      url: `/app/api/boards/${shortId}`,
      cookies: person.session,
      headers: ifMatch(version),
      payload: body,
    }),
  remove: (person: TestPerson, shortId: string, version: number | undefined): Promise<LightMyRequestResponse> =>
    service.app.inject({ method: 'DELETE', url: `/app/api/boards/${shortId}`, cookies: person.session, headers: ifMatch(version) }),
})

export const ifMatch = (version: number | string | undefined): Record<string, string> =>
  version === undefined ? {} : { 'if-match': typeof version === 'number' ? `"${version}"` : version }

/** A tile of text at a place of its own. */
export const textTile = (id: string, y: number) => ({ id, kind: 'text', text: `Text of ${id}`, x: 0, y, width: 12, height: 1 })

export const referenceTile = (id: string, referenceShortId: string, y: number, given: object = {}) => ({
  id,
  kind: 'reference',
  referenceShortId,
  x: 0,
  y,
  width: 6,
  height: 4,
  ...given,
})
