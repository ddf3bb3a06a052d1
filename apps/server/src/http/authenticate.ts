import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { viewerOf } from '../domain/access/read-access.ts'
import { actionOf, hasScope } from '../domain/access/scopes.ts'
import type { RequiredScope } from '../model/api-key-scope.ts'
import type { Caller, Origin } from '../model/caller.ts'
import { apiKeyPattern } from '../domain/people/api-keys.ts'
import type { AuthenticatedKey, AuthenticateKey } from '../domain/people/key-authenticator.ts'
import { refuseWhileViewing } from '../domain/people/view-as.ts'
import { Refusal } from '../domain/refusal.ts'
import { asViewer } from '../store/viewer.ts'
import { clientAddress } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hooks below; routes read it through `callerOf`. */
    caller: Caller | undefined
    key: AuthenticatedKey | undefined
  }
  interface FastifyContextConfig {
    /** What an API key needs to call the route. `none`: any valid key may. Required for routes that authenticate by key. */
    scope?: RequiredScope | 'none'
    /** For routes that read with another method than GET, and those that end the session or the viewing. */
    isAllowedWhileViewing?: true
  }
}

export const sessionCookie = 'querypost_session'
export const organizationHeader = 'querypost-organization'

/** `/api`: an API key in the Authorization header. */
export function makeKeyHook(authenticateKey: AuthenticateKey) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = keyIn(request)
    if (!key) {
      throw new Refusal('unauthenticated', 'Send your API key in the header: Authorization: Bearer <API key>.')
    }
    // A malformed key is rejected without asking the store.
    if (apiKeyPattern.test(key)) request.ahead = request.routeOptions.config.lookAhead?.(request)
    request.key = await authenticateKey(key, clientAddress(request))
    request.caller = request.key && { ...request.key.caller, origin: originOf(request) }
    if (!request.caller) throw new Refusal('unauthenticated', 'This API key is not valid. It may have been revoked.')
    requireScope(request.key!, request.routeOptions.config.scope)
  }
}

/** Routes that authenticate by key declare their scope. Checked when they are added, so that none can be forgotten. */
export function requireDeclaredScope({ method, url, config }: RouteOptions): void {
  if (config?.scope === undefined && !config?.isNotAllowed) throw new Error(`${String(method)} ${url} must declare its scope in its config.`)
}

function requireScope(key: AuthenticatedKey, required: RequiredScope | 'none' | undefined): void {
  if (required !== undefined && required !== 'none' && !hasScope(key.scopes, required)) throw scopeMissing(required)
}

export const scopeMissing = (required: RequiredScope) =>
  new Refusal(
    'scope_missing',
    `This API key lacks the scope ${actionOf(required)} (or ${required}). Create a key with it in the account settings.`,
  )

export const keyIn = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1]

/** `/app/api`: the session cookie of the web app. */
export function makeSessionHook(sessionCaller: (token: string) => Promise<Caller | undefined>) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = request.cookies[sessionCookie]
    const caller = token ? await sessionCaller(token) : undefined
    if (!caller) throw new Refusal('unauthenticated', 'You are not signed in. Sign in and try again.')
    request.caller = { ...caller, origin: originOf(request) }
    rejectOtherOrganization(request, caller)
    if (!isRead(request)) refuseWhileViewing(caller)
  }
}

const isRead = ({ method, routeOptions }: FastifyRequest) =>
  method === 'GET' || method === 'HEAD' || routeOptions.config.isAllowedWhileViewing === true

export const originOf = (request: FastifyRequest): Origin => ({ address: clientAddress(request), requestId: request.id })

/**
 * A person can switch the organization of their session, and all tabs of a browser share the session. So each page sends the
 * organization it shows, and its input never ends up in another one. Requests about the session itself are exempt.
 */
function rejectOtherOrganization({ headers, url }: FastifyRequest, caller: Caller): void {
  const shown = headers[organizationHeader]
  if (shown === undefined || shown === caller.organizationId || url.startsWith('/app/api/session')) return
  throw new Refusal(
    'organization_changed',
    'You switched to another organization in another tab. Reload this page, or switch back there.',
  )
}

/** For public pages that show more to signed-in users. */
export function makeOptionalCaller(sessionCaller: (token: string) => Promise<Caller | undefined>) {
  return async (request: FastifyRequest): Promise<Caller | undefined> => {
    const token = request.cookies[sessionCookie]
    return token ? sessionCaller(token) : undefined
  }
}

/**
 * CSRF protection: rejects writes that another site's page makes in a signed-in user's browser. Browsers send the page's origin with
 * every write; other programs send none, and do not hold a user's cookie.
 */
export function makeOriginHook(options: { baseUrl: string }) {
  const own = new URL(options.baseUrl).origin
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { origin, host } = request.headers
    if (origin === undefined || origin === own) return
    if (URL.canParse(origin) && new URL(origin).host === host) return
    throw new Refusal('forbidden', 'This request comes from another site and was rejected.')
  }
}

/**
 * Serves each request in the view of its caller. Calls back instead of returning a promise, so that everything that follows runs in that
 * context. A body that has been read would end the context, so it begins after that.
 */
export function showOnlyVisible(api: Pick<FastifyInstance, 'addHook'>): void {
  api.addHook('preValidation', ({ caller }, _reply, done) => {
    const viewer = caller && viewerOf(caller)
    if (viewer) asViewer(viewer, done)
    else done()
  })
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route was reached without authentication.')
  return request.caller
}
