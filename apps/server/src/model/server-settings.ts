/** Where a server listens. */
export interface ServerPlace {
  host: string
  port: number
}

/** How a database server is reached. What is secret stands apart, so that the rest can be shown. */
export interface ServerSettings extends ServerPlace {
  /** Where the same data is to be had; tried in order when the places before cannot be reached. */
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM: who signs the server's certificate; null: those whom Node trusts. */
  certificateAuthority: string | null
}

/** `encrypted`: with whoever answers. `verified`: the certificate must be the host's. */
export const tlsModes = ['off', 'encrypted', 'verified'] as const
export type TlsMode = (typeof tlsModes)[number]

/**
 * What tells the service's own database from every other, whichever way a connection took. Every user of a database can read these
 * from PostgreSQL's catalogs, unless the server's administrator has revoked it.
 */
export interface StoreIdentity {
  /** Of the cluster. Physical replicas and copies have the same. */
  systemIdentifier: string
  databaseOid: string
  /** Of the table `schema_migrations`; null before the first migration. */
  markerOid: string | null
}
