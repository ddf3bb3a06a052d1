import type { UseQueryResult } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, messageOf } from '../api/request.ts'
import { NotFoundNotice } from './not-found-notice.tsx'
import { EmptyState } from './empty-state.tsx'
import { Problem } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * What was asked of the service, in all its states: on its way, there, not allowed, not found, failed. What was there before
 * stays while it is asked for anew, also when that fails.
 */
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
  return <Problem title="This could not be loaded" message={messageOf(error)} onRetry={onRetry} />
}

export function NoPermission({ message }: { message: string }) {
  return (
    <EmptyState title="Not for your role" icon={<Lock />}>
      <p>{message}</p>
    </EmptyState>
  )
}
