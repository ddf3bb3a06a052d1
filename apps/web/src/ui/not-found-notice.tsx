import { Unlink } from 'lucide-react'
import { paths } from '../paths.ts'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export function NotFoundNotice() {
  return (
    <EmptyState isPage title="This link leads nowhere" icon={<Unlink />} action={<ButtonLink href={paths.home}>All queries</ButtonLink>}>
      <p>What it led to was deleted, or the link is incomplete. Ask whoever sent it to you.</p>
    </EmptyState>
  )
}
