import { LoaderCircle } from 'lucide-react'
import type { ReferenceInFull } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'

/** A permalink that was reserved before its SQL was written. */
export function BeingWritten({ reference }: { reference: ReferenceInFull }) {
  useTitle(reference.title)
  return (
    <>
      <PageHead title={reference.title} {...(reference.description !== null && { description: reference.description })} />
      <div role="status">
        <EmptyState
          title="This query is being written"
          icon={<LoaderCircle className="animate-spin" />}
          action={<ButtonLink href={paths.editReference(reference.shortId)}>Write the SQL</ButtonLink>}
        >
          <p>The link is reserved. The query appears here as soon as it’s saved.</p>
        </EmptyState>
      </div>
    </>
  )
}
