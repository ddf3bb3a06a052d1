/** Where results are stored. */
export type ResultsSetting = { kind: 'files' } | { kind: 'postgres' } | ({ kind: 's3' } & S3Settings)

export interface S3Settings {
  bucket: string
  /** Null for Amazon's own endpoint of the region. */
  endpoint: string | null
  /** Null to use AWS_REGION or the SDK's own configuration. */
  region: string | null
  /** The prefix of all object names. */
  prefix: string
}
