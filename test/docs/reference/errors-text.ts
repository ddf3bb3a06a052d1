import { errorDocs } from '../../../apps/server/src/http/error-docs.ts'
import { type ErrorCode, statusOf } from '../../../apps/server/src/http/errors.ts'

/** Every code with its status, what it means and what to do; each heading is where `documentation_url` leads. */
export function errorsText(): string {
  const codes = Object.keys(errorDocs) as ErrorCode[]
  return codes.map((code) => `## ${code}\n\nHTTP ${statusOf[code]}. ${errorDocs[code]}`).join('\n\n')
}
