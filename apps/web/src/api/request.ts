/** The pages' one way to the service: `/app/api`, JSON, the session cookie. Every refusal arrives as an `ApiError`. */

export interface ErrorDetail {
  path: string
  message: string
}

/** What the service answered when it refused; `message` is meant for the person at the page. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: ErrorDetail[]

  constructor(options: { status: number; code: string; message: string; details?: ErrorDetail[] }) {
    super(options.message)
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? []
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
}

export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await open(path, options)
  return (response.status === 204 ? undefined : await response.json()) as Answer
}

/** The answer before its body is read, for bodies that are read piece by piece. */
export async function open(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Response> {
  const response = await send(`/app/api${path}`, {
    method,
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
  const body = (await response.json().catch(() => null)) as Partial<ApiError> | null
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') {
    return new ApiError({ status, code: 'unexpected_answer', message: `The service answered with status ${status}. Try again.` })
  }
  return new ApiError({ status, code: body.code, message: body.message, ...(body.details && { details: body.details }) })
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code
}

/** What the service says about one place of the body, such as `/schedule/cron`, and about what lies below it. */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const message = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}/`))?.message
  return message && message[0]!.toUpperCase() + message.slice(1)
}
