import type { PostAnswer } from './post.ts'

const lineMaxCharacters = 200

/** Why a response does not count as a success. */
export function describeRejection({ status, location, text }: PostAnswer): string {
  if (status >= 300 && status < 400) {
    const where = location === undefined ? '' : ` to ${oneLine(location)}`
    return `it answered ${status}, a redirect${where}. Redirects are not followed; forward to the final address`
  }
  const reason = firstLine(text)
  const answered = `it answered ${status}${reason && `: ${reason}`}`
  if (status === 404 || status === 405) return `${answered} (does the receiver accept POST on this path?)`
  return answered
}

/** Why there was no response. */
export function describeNoResponse(error: unknown, url: URL): string {
  const { code, message } = error as { code?: string; message?: string }
  const place = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
  switch (code) {
    case 'ECONNREFUSED':
      return `connection refused on ${place}. Is the receiver running?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name ${url.hostname} can’t be resolved`
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed before a response arrived'
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `${place} does not use TLS. Forward to http:// instead`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `the certificate is not trusted (${code}). To trust it, set NODE_EXTRA_CA_CERTS=<file>`
    default:
      return `connection failed: ${oneLine(message ?? String(code))}${code ? ` (${code})` : ''}`
  }
}

/** Empty for an HTML page, whose first line has no information. */
function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? ''
  return line.trimStart().startsWith('<') ? '' : oneLine(line)
}

/** Removes control characters, so that a receiver's text can't control the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return plain.length > lineMaxCharacters ? `${plain.slice(0, lineMaxCharacters)}…` : plain
}
