import { useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import { type ManagedKind, managedItemsOptions } from '../api/managed-items.ts'
import { Badge } from '../ui/badge.tsx'

/** The address of the file that manages an item. Undefined if people may edit the item, and until it is known. */
export function useManagedUrl(kind: ManagedKind, id: string): string | undefined {
  const { data = [] } = useQuery(managedItemsOptions(kind, id))
  return data.find((item) => item.id === id)?.url
}

/** Says that an item can only be changed in Git, and links to its file. */
export function ManagedBadge({ url }: { url: string | undefined }) {
  if (url === undefined) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" title="Change the file to change this" className="rounded">
      <Badge color="accent">
        <GitBranch className="size-3.5" aria-hidden="true" />
        Managed in Git
      </Badge>
    </a>
  )
}
