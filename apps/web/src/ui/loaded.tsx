import type { UseQueryResult } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, messageOf } from '../api/request.ts'
import { NotFoundNotice } from './not-found-notice.tsx'
import { EmptyState } from './empty-state.tsx'
import { Problem } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

/** Renders a query in all its states: loading, loaded, forbidden, not found, failed. Loaded data stays during refreshes. */
export function Loaded<Value>(props: {
  query: UseQueryResult<Value>
  skeleton?: ReactNode
  children(value: Value): ReactNode
}) {
  const { query } = props
  if (query.data !== undefined) return <>{props.children(query.data)}</>
  if (query.isError) return <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
  return <>{props.skeleton ?? <Skeleton />}</>
}

export function LoadProblem({ error, onRetry }: { error: unknown; onRetry(): void }) {
  if (error instanceof ApiError && error.status === 404) return <NotFoundNotice />
  if (error instanceof ApiError && error.status === 403) return <NoPermission message={error.message} />
  return <Problem title="Couldn’t load this" message={messageOf(error)} onRetry={onRetry} />
}

export function NoPermission({ message }: { message: string }) {
  return (
    <EmptyState title="You don’t have access" icon={<Lock />}>
      <p>{message}</p>
    </EmptyState>
  )
}
