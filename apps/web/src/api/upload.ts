import type { ErrorBody } from './generated/schemas.ts'
import { addressOf, type AddressInput, type Answer, methodOf, type OperationName, type Rest } from './operations.ts'
import { ApiError, organizationHeaders } from './request.ts'

export interface UploadOptions {
  signal: AbortSignal
  /** Bytes that have left this machine, again and again until all have; what follows is the service's work. */
  onProgress: (progress: { sentBytes: number; totalBytes: number }) => void
}

/**
 * Sends a file as it is. `fetch` cannot tell how far it has come, so this is the one request that is not made with
 * it.
 */
export async function upload<Name extends OperationName>(
  name: Name,
  file: Blob,
  given: AddressInput<Name>,
  options: UploadOptions,
): Promise<Answer<Name>> {
  const { signal, onProgress } = options
  const request = new XMLHttpRequest()
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress({ sentBytes: loaded, totalBytes: total }),
  )
  const ended = new Promise<string>((resolve) => {
    for (const end of ['load', 'error', 'abort'] as const) request.addEventListener(end, () => resolve(end))
  })
  const stop = () => request.abort()
  signal.throwIfAborted()
  signal.addEventListener('abort', stop)
  request.open(methodOf(name), addressOf(name, ...([given] as Rest<AddressInput<Name>>)))
  request.setRequestHeader('content-type', 'application/octet-stream')
  for (const [name, value] of Object.entries(organizationHeaders())) request.setRequestHeader(name, value)
  request.send(file)
  const end = await ended
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (end !== 'load') throw new ApiError({ status: 0, code: 'unreachable', message: brokenOff })
  const answer = parse(request.responseText)
  const isAccepted = request.status >= 200 && request.status < 300
  if (!isAccepted || answer === undefined) throw refusalOf(request.status, answer)
  return answer
}

const brokenOff = 'The service cannot be reached, or broke the upload off. Check your connection and try again.'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf(status: number, answer: unknown): ApiError {
  const { code, message, details } = (answer ?? {}) as Partial<ErrorBody>
  if (code === undefined || message === undefined) {
    const unexpected = `The service answered with status ${status}. Try again.`
    return new ApiError({ status, code: 'unexpected_answer', message: unexpected })
  }
  return new ApiError({ status, code, message, ...(details && { details }) })
}
