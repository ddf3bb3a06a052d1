import type { AppliedChanges, Project } from '../generated/schemas.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** Everything of an organization that has a file. */
export interface ProjectFiles {
  get(options?: CallOptions): Promise<Project>
  /** Applies all changes or none. If an item has changed since the `expectedHash`, the call rejects with `ConflictError`. */
  apply(changes: NonNullable<Input<'project.apply'>['body']>, options?: CallOptions): Promise<AppliedChanges>
}

export function makeProjectFiles(transport: Transport): ProjectFiles {
  return {
    get: (options) => callOperation(transport, 'project.get', {}, options),
    apply: (body, options) => callOperation(transport, 'project.apply', { body }, options),
  }
}
