import { Unlink } from 'lucide-react'
import { paths } from '../paths.ts'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export function NotFoundNotice() {
  return (
    <EmptyState isPage title="Page not found" icon={<Unlink />} action={<ButtonLink href={paths.queries}>View all queries</ButtonLink>}>
      <p>It may have been deleted, or the link is incomplete. Ask the person who sent it to you.</p>
    </EmptyState>
  )
}
