/** Explains why a database server could not be reached. The messages name a remedy and never an address. */

const network: Record<string, string> = {
  ECONNREFUSED:
    'The database server refused the connection. Check the host and port, and that the server is running.',
  ETIMEDOUT: 'The database server did not answer. Check the host and port, and that no firewall blocks the connection.',
  EHOSTUNREACH: 'There is no route to the database server. Check the host.',
  ENETUNREACH: 'There is no route to the database server\'s network. Check the host.',
  ECONNRESET: 'The database server closed the connection.',
  EPIPE: 'The database server closed the connection.',
  ERR_STREAM_PREMATURE_CLOSE: 'The connection to the database server was lost.',
}

const certificate: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'it was not issued by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it was not issued by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it was not issued by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it was not issued by a trusted authority',
  CERT_SIGNATURE_FAILURE: 'its signature is invalid',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
}

export const dialLimitMs = 10_000

export const noAnswer =
  `The database server did not answer within ${dialLimitMs / 1000} seconds. ` +
  'Check the host and port, and that no firewall blocks the connection.'

/** Undefined unless the error comes from the network or TLS. */
export function networkFailure(error: unknown): string | undefined {
  // A connection that the server closed has no error.
  const code = (error as { code?: unknown } | undefined)?.code
  if (typeof code !== 'string') return undefined
  const reason = certificate[code]
  if (reason !== undefined) return `The certificate of the database server is not valid: ${reason}.`
  if (network[code] !== undefined) return network[code]
  return /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'The TLS handshake with the database server failed.' : undefined
}
