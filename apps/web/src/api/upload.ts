import type { ErrorBody } from './generated/schemas.ts'
import { operationUrl, type UrlInput, type Answer, operationMethod, type OperationName, type Rest } from './operations.ts'
import { ApiError, organizationHeaders } from './request.ts'

export interface UploadOptions {
  signal: AbortSignal
  /** Called repeatedly with the bytes sent. After the last byte, the service is still processing the file. */
  onProgress: (progress: { sentBytes: number; totalBytes: number }) => void
}

/** Uploads a file with XMLHttpRequest, because `fetch` doesn't report upload progress. */
export async function upload<Name extends OperationName>(
  name: Name,
  file: Blob,
  given: UrlInput<Name>,
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
  request.open(operationMethod(name), operationUrl(name, ...([given] as Rest<UrlInput<Name>>)))
  request.setRequestHeader('content-type', 'application/octet-stream')
  for (const [name, value] of Object.entries(organizationHeaders())) request.setRequestHeader(name, value)
  request.send(file)
  const end = await ended
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (end !== 'load') throw new ApiError({ status: 0, code: 'unreachable', message: connectionLost })
  const answer = parse(request.responseText)
  const isAccepted = request.status >= 200 && request.status < 300
  if (!isAccepted || answer === undefined) throw toApiError(request.status, answer)
  return answer
}

const connectionLost = 'The upload failed: the connection was lost. Check your connection and try again.'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toApiError(status: number, answer: unknown): ApiError {
  const { code, message, details } = (answer ?? {}) as Partial<ErrorBody>
  if (code === undefined || message === undefined) {
    const unexpected = `Unexpected response from the service (status ${status}). Try again.`
    return new ApiError({ status, code: 'unexpected_answer', message: unexpected })
  }
  return new ApiError({ status, code, message, ...(details && { details }) })
}
