import { type ErrorCode, errorDocs, statusOf } from '@querypost/server/documentation'

/** Every code with its status, what it means and what to do; each heading is where `documentation_url` leads. */
export function errorsText(): string {
  const codes = Object.keys(errorDocs) as ErrorCode[]
  return codes.map((code) => `## ${code}\n\nHTTP ${statusOf[code]}. ${errorDocs[code]}`).join('\n\n')
}
