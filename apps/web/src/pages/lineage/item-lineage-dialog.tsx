import { useQuery } from '@tanstack/react-query'
import { type ItemAddress, itemLineageOptions } from '../../api/lineage.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ReadsList } from './reads-list.tsx'

/** What a board or an automation reads: its queries, then their tables and columns. */
export function ItemLineageDialog({ item, onClose }: { item: ItemAddress; onClose(): void }) {
  const lineage = useQuery(itemLineageOptions(item))
  const description = `The queries, tables and columns that this ${item.kind} reads. Open a table to see what else uses it.`
  return (
    <Dialog title="Lineage" description={description} isSheet isOpen onOpenChange={onClose}>
      <Loaded query={lineage}>{(found) => <ReadsList lineage={found} />}</Loaded>
    </Dialog>
  )
}
