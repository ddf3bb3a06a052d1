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

/** The token of the link. It is in the fragment, which browsers don't send to the server. */
export const tokenInUrl = () => window.location.hash.slice(1)

/** Shows the form that a link opens, or why the link is not valid and what to do. */
export function OpenedLink<Value>(props: { query: UseQueryResult<Value>; children(value: Value): ReactNode }) {
  const { query } = props
  if (query.data !== undefined) return <Card className="p-6">{props.children(query.data)}</Card>
  if (!query.isError) return <Card className="p-6"><Skeleton rows={4} /></Card>
  if (hasCode(query.error, 'link_not_valid')) return <InvalidLink message={messageOf(query.error)} />
  return <Problem message={messageOf(query.error)} onRetry={() => void query.refetch()} />
}

function InvalidLink({ message }: { message: string }) {
  return (
    <EmptyState
      isPage
      title="Invalid link"
      icon={<Unlink />}
      action={<ButtonLink kind="primary" href={paths.signIn()}>Sign in</ButtonLink>}
    >
      <p>{message}</p>
    </EmptyState>
  )
}

/** Loads a new document, so that no data of a previous session stays in memory. A step of the sign-in may be missing. */
export const enterHome = (unfinished?: { step?: unknown } | null) =>
  window.location.assign(unfinished?.step === undefined ? paths.home : paths.secondStep())
