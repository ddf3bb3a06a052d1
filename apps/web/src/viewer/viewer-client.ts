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
  openDownload(tileId: string, values: ViewerValues, format: string): Promise<Downloaded>
  openBoardDownload(values: ViewerValues, format: string, tabId: string | undefined): Promise<Downloaded>
  /** Exchanges the password of a link for its pass. */
  unlock(password: string): Promise<LinkPass>
}

export interface Downloaded {
  name: string
  content: Blob
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

/** `renew` gets a new bearer after the current one has expired. The request is then sent once more. */
export function makeViewerClient(base: string, bearer: () => string | undefined, renew?: () => Promise<void>): ViewerClient {
  async function open(path: string, options: { body?: object; signal?: AbortSignal } = {}): Promise<Response> {
    try {
      return await send(path, options)
    } catch (error) {
      if (!renew || !(error instanceof ViewerError) || error.code !== 'embed_token_expired') throw error
      await renew().catch(() => {
        throw error
      })
      return send(path, options)
    }
  }
  async function send(path: string, { body, signal }: { body?: object; signal?: AbortSignal }): Promise<Response> {
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
      return downloadedIn(await open(tile(tileId, `download?${search(values, { format })}`)), `result.${format}`)
    },
    async openBoardDownload(values, format, tabId) {
      const more = { format, ...(tabId !== undefined && { tab: tabId }) }
      return downloadedIn(await open(`/download?${search(values, more)}`), `board.${format}`)
    },
    unlock: (password) => read('/unlock', { password }),
  }
}

const tile = (tileId: string, rest: string) => `/tiles/${encodeURIComponent(tileId)}/${rest}`

const search = (values: ViewerValues, more: Record<string, string> = {}) =>
  new URLSearchParams({ ...more, values: JSON.stringify(values) }).toString()

const downloadedIn = async (response: Response, otherName: string): Promise<Downloaded> => ({
  name: fileName(response.headers.get('content-disposition') ?? '') ?? otherName,
  content: await response.blob(),
})

/** The name in a `Content-Disposition` header. */
export function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
