import type { UseQueryResult } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasCode, messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The token of the link that led here. It stands behind the `#`, which browsers keep to themselves. */
export const tokenInAddress = () => window.location.hash.slice(1)

/** What a link opens: a form, or why it opens nothing (any more) and what to do. */
export function OpenedLink<Value>(props: { query: UseQueryResult<Value>; children(value: Value): ReactNode }) {
  const { query } = props
  if (query.data !== undefined) return <Card className="p-6">{props.children(query.data)}</Card>
  if (!query.isError) return <Card className="p-6"><Skeleton rows={4} /></Card>
  if (hasCode(query.error, 'link_not_valid')) return <DeadLink message={messageOf(query.error)} />
  return <Problem message={messageOf(query.error)} onRetry={() => void query.refetch()} />
}

function DeadLink({ message }: { message: string }) {
  return (
    <EmptyState
      isPage
      title="This link opens nothing"
      icon={<Unlink />}
      action={<ButtonLink kind="primary" href={paths.signIn()}>Sign in</ButtonLink>}
    >
      <p>{message}</p>
    </EmptyState>
  )
}

/** A new document: nothing that was loaded for somebody else who was signed in here stays. */
export const enterHome = () => window.location.assign(paths.home)
