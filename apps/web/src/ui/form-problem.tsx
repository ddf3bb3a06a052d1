import { ApiError, messageOf } from '../api/request.ts'
import { Problem } from './notice.tsx'

/** What is wrong with a form as a whole: nothing where the service has named one of its fields, which then says so itself. */
export function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (error === null || error === undefined) return null
  const isAtField = error instanceof ApiError && error.details.some(({ path }) => fields.includes(path))
  return isAtField ? null : <Problem message={messageOf(error)} />
}
