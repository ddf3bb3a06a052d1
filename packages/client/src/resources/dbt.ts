import type { DbtImport } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** What dbt projects say about tables. */
export interface Dbt {
  /** The newest import of each project, newest first. */
  list(options?: ListOptions): List<DbtImport>
  /** Reads the artifacts of a project, and replaces what its earlier import has written. */
  import(artifacts: Input<'dbt.import'>['body'], options: WriteOptions & NonNullable<Input<'dbt.import'>['query']>): Promise<DbtImport>
  /** Forgets what the import of a project has written, and returns it. */
  delete(project: Input<'dbt.delete'>['query'], options?: CallOptions): Promise<DbtImport>
}

export function makeDbt(transport: Transport): Dbt {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'dbt.list', { query }, options) }),
    import: (body, { databaseId, docsUrl, repositoryUrl, ...options }) => {
      const query = { databaseId, ...(docsUrl !== undefined && { docsUrl }), ...(repositoryUrl !== undefined && { repositoryUrl }) }
      return callOperation(transport, 'dbt.import', { query, body }, options)
    },
    delete: (query, options) => callOperation(transport, 'dbt.delete', { query }, options),
  }
}
