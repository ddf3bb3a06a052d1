import type { EngineDefinition } from '../definition.ts'
import { bigqueryEditor } from './bigquery-editor.ts'
import { bigquerySyntax } from './bigquery-syntax.ts'

export const bigquery = {
  kind: 'bigquery',
  name: 'BigQuery',
  hint: 'Google Cloud',
  icon: 'cloud',
  docs: 'databases/bigquery.md',
  syntax: bigquerySyntax,
  editor: bigqueryEditor,
  defaultSchema: { setting: 'dataset' },
  estimatesBytes: true,
  place: {
    on: 'server',
    port: 80,
    portWithTls: 443,
    host: { default: 'bigquery.googleapis.com' },
    connectionStrings: {
      schemes: { bigquery: 'verified' },
      tlsParameters: {},
      secondPart: 'dataset',
      example: 'bigquery://user@host/project/dataset',
    },
    database: { label: 'Project', hint: 'Its ID. It pays for the queries, and its tables are listed.' },
    user: { label: 'Service account', hint: 'Its e-mail address, client_email in the key.' },
    password: { label: 'Key (JSON)' },
    options: [
      { name: 'dataset', label: 'Dataset', hint: 'Tables of this dataset need no prefix. Leave blank for none.' },
      { name: 'location', label: 'Location', hint: 'Of the datasets, such as EU. Leave blank to let BigQuery choose it by the tables.' },
      { name: 'maxGigabytes', label: 'Limit per query (GB)', hint: 'Queries that would read more are refused. Leave blank for no limit.', isPositiveNumber: true },
    ],
    faults: { authError: 'password', invalidKey: 'password', notFound: 'database', accessDenied: 'user' },
  },
} as const satisfies EngineDefinition
