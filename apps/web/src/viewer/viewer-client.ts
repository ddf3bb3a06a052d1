import type { ErrorBody, LinkPass, SharedResults, SharedView } from '../api/generated/schemas.ts'

/**
 * The client of `/public/api`, which pages for viewers use instead of the app's: it knows no session, and sends a *bearer* if there is
 * one, the pass of a link with a password or the token of an embedded page.
 */
export interface ViewerClient {
  readView(): Promise<SharedView>
  readResults(values: ViewerValues): Promise<SharedResults>
  refresh(values: ViewerValues, options?: { onlyMissing: boolean }): Promise<SharedResults>
  openResult(tileId: string, values: ViewerValues, signal: AbortSignal): Promise<Response>
  openImage(tileId: string): Promise<Blob>
  openDownload(tileId: string, values: ViewerValues, format: string): Promise<{ name: string; content: Blob }>
  /** Exchanges the password of a link for its pass. */
  unlock(password: string): Promise<LinkPass>
}

/** The values of the parameters that the viewer has changed. */
export type ViewerValues = Record<string, string | number | boolean | (string | number | boolean)[]>

/** An error response. Its message can be shown. */
export class ViewerError extends Error {
  override readonly name = 'ViewerError'
  readonly code: ErrorBody['code'] | 'unreachable'

  constructor(code: ViewerError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export function makeViewerClient(base: string, bearer: () => string | undefined): ViewerClient {
  async function open(path: string, { body, signal }: { body?: object; signal?: AbortSignal } = {}): Promise<Response> {
    const token = bearer()
    const response = await fetch(`${base}${path}`, {
      method: body ? 'POST' : 'GET',
      credentials: 'omit',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ViewerError('unreachable', 'The service cannot be reached. Check your connection and try again.')
    })
    if (response.ok) return response
    const refusal = (await response.json().catch(() => ({}))) as Partial<ErrorBody>
    throw new ViewerError(refusal.code ?? 'internal_error', refusal.message ?? 'Something went wrong. Try again.')
  }
  const read = async <Answer>(path: string, body?: object) => (await open(path, body && { body })).json() as Promise<Answer>

  return {
    readView: () => read(''),
    readResults: (parameters) => read('/results', { parameters }),
    refresh: (parameters, options) => read('/refresh', { parameters, ...options }),
    openResult: (tileId, values, signal) => open(tile(tileId, `result?${search(values)}`), { signal }),
    openImage: async (tileId) => (await open(tile(tileId, 'image'))).blob(),
    async openDownload(tileId, values, format) {
      const response = await open(tile(tileId, `download?${search(values, { format })}`))
      return { name: fileName(response.headers.get('content-disposition') ?? '') ?? `result.${format}`, content: await response.blob() }
    },
    unlock: (password) => read('/unlock', { password }),
  }
}

const tile = (tileId: string, rest: string) => `/tiles/${encodeURIComponent(tileId)}/${rest}`

const search = (values: ViewerValues, more: Record<string, string> = {}) =>
  new URLSearchParams({ ...more, values: JSON.stringify(values) }).toString()

/** The name in a `Content-Disposition` header. */
export function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
