import type { ErrorBody } from './generated/schemas.ts'
import { addressOf, type AddressInput, type Answer, type Input, methodOf, type OperationName, type Rest } from './operations.ts'

/** The pages' one way to the service: `/app/api`, JSON, the session cookie. Every refusal arrives as an `ApiError`. */

export type ErrorDetail = NonNullable<ErrorBody['details']>[number]

/** The service's codes, and those for a request that it did not answer, or not as it should. */
export type ErrorCode = ErrorBody['code'] | 'unreachable' | 'unexpected_answer'

/** What the service answered when it refused; `message` is meant for the person at the page. */
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

/** What a request sends, and what can stop it. */
export type RequestOptions<Name extends OperationName> = Input<Name> & { signal?: AbortSignal | undefined }

/** Null where the service has nothing to answer. */
export async function request<Name extends OperationName>(
  name: Name,
  ...given: Rest<RequestOptions<Name>>
): Promise<Answer<Name>> {
  const response = await open(name, ...given)
  return (response.status === 204 ? null : await response.json()) as Answer<Name>
}

/** The answer before its body is read, for bodies that are read piece by piece. */
export async function open<Name extends OperationName>(
  name: Name,
  ...given: Rest<RequestOptions<Name>>
): Promise<Response> {
  const { body, signal } = (given[0] ?? {}) as { body?: unknown; signal?: AbortSignal }
  const response = await send(addressOf(name, ...(given as Rest<AddressInput<Name>>)), {
    method: methodOf(name),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...organizationHeaders(),
    },
    ...(signal && { signal }),
  })
  if (!response.ok) {
    const refusal = await refusalOf(response)
    if (refusal.code === 'unauthenticated') sessionEnds.dispatchEvent(new Event('end'))
    throw refusal
  }
  return response
}

let shownOrganizationId: string | undefined

/** Whose pages this document shows. When another tab has moved the session elsewhere, the service refuses what is sent from here. */
export function showOrganization(id: string | undefined): void {
  shownOrganizationId = id
}

/** For every request that is made in another way than by `request`. */
export function organizationHeaders(): Record<string, string> {
  return shownOrganizationId === undefined ? {} : { 'querypost-organization': shownOrganizationId }
}

const sessionEnds = new EventTarget()

/** Calls back whenever an answer says that nobody is signed in. Returns the way to stop listening. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEnds.addEventListener('end', listener)
  return () => sessionEnds.removeEventListener('end', listener)
}

const unreachables = new EventTarget()

/** Calls back whenever a request did not reach the service. Returns the way to stop listening. */
export function onUnreachable(listener: () => void): () => void {
  unreachables.addEventListener('unreachable', listener)
  return () => unreachables.removeEventListener('unreachable', listener)
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    unreachables.dispatchEvent(new Event('unreachable'))
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: 'The service cannot be reached. Check your connection and try again.',
    })
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') {
    return new ApiError({ status, code: 'unexpected_answer', message: `The service answered with status ${status}. Try again.` })
  }
  return new ApiError({ status, code: body.code, message: body.message, ...(body.details && { details: body.details }) })
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/** What the service says about one place of the body, such as `/schedule/cron`, and about what lies below it. */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const message = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}/`))?.message
  return message && message[0]!.toUpperCase() + message.slice(1)
}
