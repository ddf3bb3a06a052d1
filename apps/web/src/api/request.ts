import type { ErrorBody } from './generated/schemas.ts'
import { operationUrl, type UrlInput, type Answer, type Input, operationMethod, type OperationName, type Rest } from './operations.ts'

/** The client of `/app/api`: JSON with the session cookie. Every error response is thrown as an `ApiError`. */

export type ErrorDetail = NonNullable<ErrorBody['details']>[number]

/** The service's error codes, and codes for a missing or malformed response. */
export type ErrorCode = ErrorBody['code'] | 'unreachable' | 'unexpected_answer'

/** An error response. Its `message` can be shown to people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly details: ErrorDetail[]

  constructor(options: { status: number; code: ErrorCode; message: string; details?: ErrorDetail[] }) {
    super(options.message)
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? []
  }
}

/** The input of a request, and a signal to abort it. */
export type RequestOptions<Name extends OperationName> = Input<Name> & {
  signal?: AbortSignal | undefined
  /** The version that is changed. The service rejects the change if there is a newer one. */
  version?: number
}

/** Null for a response without content. */
export async function request<Name extends OperationName>(
  name: Name,
  ...given: Rest<RequestOptions<Name>>
): Promise<Answer<Name>> {
  const response = await open(name, ...given)
  return (response.status === 204 ? null : await response.json()) as Answer<Name>
}

/** The response before its body is read, for streaming. */
export async function open<Name extends OperationName>(
  name: Name,
  ...given: Rest<RequestOptions<Name>>
): Promise<Response> {
  const { body, signal, version } = (given[0] ?? {}) as { body?: unknown; signal?: AbortSignal; version?: number }
  const response = await send(operationUrl(name, ...(given as Rest<UrlInput<Name>>)), {
    method: operationMethod(name),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...organizationHeaders(),
    },
    ...(signal && { signal }),
  })
  if (!response.ok) {
    const error = await toApiError(response)
    if (error.code === 'unauthenticated') sessionEndEvents.dispatchEvent(new Event('end'))
    throw error
  }
  return response
}

let shownOrganizationId: string | undefined

/** Sets the organization that this document shows. If another tab switches the session, the service rejects requests from here. */
export function showOrganization(id: string | undefined): void {
  shownOrganizationId = id
}

/** The headers for requests that don't use `request`. */
export function organizationHeaders(): Record<string, string> {
  return shownOrganizationId === undefined ? {} : { 'querypost-organization': shownOrganizationId }
}

const sessionEndEvents = new EventTarget()

/** Listens for responses that say the session has ended. Returns a function that stops listening. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEndEvents.addEventListener('end', listener)
  return () => sessionEndEvents.removeEventListener('end', listener)
}

const unreachableEvents = new EventTarget()

/** Listens for requests that did not reach the service. Returns a function that stops listening. */
export function onUnreachable(listener: () => void): () => void {
  unreachableEvents.addEventListener('unreachable', listener)
  return () => unreachableEvents.removeEventListener('unreachable', listener)
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    unreachableEvents.dispatchEvent(new Event('unreachable'))
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: 'The service cannot be reached. Check your connection and try again.',
    })
  }
}

async function toApiError(response: Response): Promise<ApiError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') {
    const message = `Unexpected response from the service (status ${status}). Try again.`
    return new ApiError({ status, code: 'unexpected_answer', message })
  }
  return new ApiError({ status, code: body.code, message: body.message, ...(body.details && { details: body.details }) })
}

/** The message to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/** The error at a path of the request body, such as `/schedule/cron`, or below it. */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const message = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}/`))?.message
  return message && message[0]!.toUpperCase() + message.slice(1)
}
