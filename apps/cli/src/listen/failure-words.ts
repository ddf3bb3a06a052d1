import type { PostAnswer } from './post.ts'

const lineMaxCharacters = 200

/** Why an answer is none that a delivery would take for a success. */
export function whyRefused({ status, location, text }: PostAnswer): string {
  if (status >= 300 && status < 400) {
    const where = location === undefined ? '' : ` to ${oneLine(location)}`
    return `it answered ${status}, a redirect${where}. Redirects are not followed: forward to the address they lead to`
  }
  const said = firstLine(text)
  const answered = `it answered ${status}${said && `: ${said}`}`
  if (status === 404 || status === 405) return `${answered} (is POST to this path what the receiver takes?)`
  return answered
}

/** Why there is no answer. */
export function whyNotAnswered(error: unknown, url: URL): string {
  const { code, message } = error as { code?: string; message?: string }
  const place = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
  switch (code) {
    case 'ECONNREFUSED':
      return `nobody listens on ${place}. Is the receiver running?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${url.hostname} leads nowhere`
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed before there was an answer'
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `${place} does not speak TLS. Forward to http:// there`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `its certificate is not trusted (${code}). NODE_EXTRA_CA_CERTS=<file> names one that is`
    default:
      return `no connection could be made: ${oneLine(message ?? String(code))}${code ? ` (${code})` : ''}`
  }
}

/** Empty for a page, whose first line says nothing. */
function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? ''
  return line.trimStart().startsWith('<') ? '' : oneLine(line)
}

/** A receiver's text must not move the cursor, or colour the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return plain.length > lineMaxCharacters ? `${plain.slice(0, lineMaxCharacters)}…` : plain
}
