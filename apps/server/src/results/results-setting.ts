/** Where results are written to. */
export type ResultsSetting = { kind: 'files' } | { kind: 'postgres' } | ({ kind: 's3' } & S3Settings)

export interface S3Settings {
  bucket: string
  /** Null: Amazon's own, by region. */
  endpoint: string | null
  /** Null: what AWS_REGION or the SDK's own configuration says. */
  region: string | null
  /** What the names of all objects begin with. */
  prefix: string
}
