/** Where a server listens. */
export interface ServerPlace {
  host: string
  port: number
}

/** How to connect to a database server. Secrets are kept separately, so that the rest can be shown. */
export interface ServerSettings extends ServerPlace {
  /** Other places with the same data, tried in order if the earlier ones cannot be reached. */
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM of the authority that signs the server's certificate; null for those trusted by Node. */
  certificateAuthority: string | null
  /** Settings that only this engine has, by name, as its definition lists them. */
  options?: Record<string, string>
}

/** `encrypted`: without checking the certificate. `verified`: the certificate must be the host's. */
export const tlsModes = ['off', 'encrypted', 'verified'] as const
export type TlsMode = (typeof tlsModes)[number]

/**
 * Identifies the service's own database, however a connection reaches it. Every user of a database can read these values from
 * PostgreSQL's catalogs, unless the server's administrator has revoked that.
 */
export interface StoreIdentity {
  /** Identifies the cluster. Physical replicas and copies have the same. */
  systemIdentifier: string
  databaseOid: string
  /** The OID of the table `schema_migrations`; null before the first migration. */
  markerOid: string | null
}
