import { ApiError, messageOf } from '../api/request.ts'
import { Problem } from './notice.tsx'

/** The error of a form, unless one of its fields shows it. */
export function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (error === null || error === undefined) return null
  const isAtField = error instanceof ApiError && error.details.some(({ path }) => fields.some((field) => path === field || path.startsWith(`${field}/`)))
  return isAtField ? null : <Problem message={messageOf(error)} />
}
