/** Why a database server could not be reached, in words that help and that hold no address. */

const network: Record<string, string> = {
  ECONNREFUSED:
    'The database server refused the connection: nothing listens there. Check the host and the port, and that it runs.',
  ETIMEDOUT: 'The database server did not answer. Check the host and the port, and whether a firewall is in between.',
  EHOSTUNREACH: 'There is no way to the database server. Check the host.',
  ENETUNREACH: 'There is no way to the network of the database server. Check the host.',
  ECONNRESET: 'The database server ended the connection.',
  EPIPE: 'The database server ended the connection.',
  ERR_STREAM_PREMATURE_CLOSE: 'The connection to the database server was lost.',
}

const certificate: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself, and its authority is not among the trusted ones',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not among the trusted ones',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not among the trusted ones',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not among the trusted ones',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not among the trusted ones',
  CERT_SIGNATURE_FAILURE: 'it is not signed by its authority',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
}

export const dialLimitMs = 10_000

export const noAnswer =
  `The database server did not answer within ${dialLimitMs / 1000} seconds. ` +
  'Check the host and the port, and whether a firewall is in between.'

/** Undefined where the error is not one of the network or of TLS. */
export function networkFailure(error: unknown): string | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return undefined
  const reason = certificate[code]
  if (reason !== undefined) return `The certificate of the database server is not valid: ${reason}.`
  if (network[code] !== undefined) return network[code]
  return /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'The database server and this service did not agree on TLS.' : undefined
}
