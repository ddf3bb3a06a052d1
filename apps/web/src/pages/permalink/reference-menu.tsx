import { useQueryClient } from '@tanstack/react-query'
import { Archive, BadgeCheck, BadgeX, CalendarClock, ChartColumn, Copy, CopyPlus, Ellipsis, FolderInput, History, LayoutDashboard, Pencil, Rss, SlidersHorizontal, SquarePen, TimerReset, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import {
  createReference,
  deleteReference,
  type ReferenceInFull,
  referenceOptions,
  restoreReference,
} from '../../api/references.ts'
import { unverifyReference, verifyReference } from '../../api/knowledge.ts'
import { getLineage, type ReferenceLineage } from '../../api/lineage.ts'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { OrganizeDialog } from '../../items/organize-dialog.tsx'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuDivider, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { isVerified } from '../../ui/verified-badge.tsx'
import { AddToBoardDialog } from '../boards/add-to-board-dialog.tsx'
import { countUsers } from '../lineage/users-list.tsx'
import { ChangeFeedDialog } from './change-feed-dialog.tsx'
import { DeleteUsedDialog } from './delete-used-dialog.tsx'
import { FreshnessDialog } from './freshness-dialog.tsx'
import { ReferenceHistory } from './history/reference-history.tsx'
import { RetentionDialog } from './past/retention-dialog.tsx'

/** The actions that a phone has no room for beside the menu. */
interface FoldedActions {
  link: string
  editLink: string
  isEditingDetails: boolean
  onEditDetails(isEditing: boolean): void
  onEditChart: (() => void) | undefined
  onFormat: (() => void) | undefined
}

/** Verifies, duplicates or deletes a reference. The toast offers to undo a deletion. */
export function ReferenceMenu(props: { reference: ReferenceInFull; isManaged: boolean; folded?: FoldedActions }) {
  const { reference, isManaged, folded } = props
  const { shortId, title } = reference
  const queryClient = useQueryClient()
  const toast = useToast()
  const { queryKey } = referenceOptions(shortId)
  const attempt = (act: () => Promise<void>) => {
    act().catch((error: unknown) => toast.show({ message: messageOf(error), isProblem: true }))
  }
  const restore = async () => {
    const restored = await restoreReference(shortId)
    queryClient.setQueryData(queryKey, restored)
    void queryClient.invalidateQueries({ queryKey: ['references'] })
    navigate(paths.permalink(shortId))
  }
  const remove = async (confirmation: { isConfirmed: boolean }) => {
    await deleteReference(shortId, confirmation)
    navigate(paths.queries)
    queryClient.removeQueries({ queryKey, exact: true })
    void queryClient.invalidateQueries({ queryKey: ['references'] })
    toast.show({ message: `Deleted “${title}”.`, action: { label: 'Undo', act: () => attempt(restore) } })
  }
  /** Deletes at once unless something uses it; a deletion can be undone. */
  const removeUnlessUsed = async () => {
    const { usedBy } = await getLineage(shortId)
    if (countUsers(usedBy) > 0) setUsedBy(usedBy)
    else await remove({ isConfirmed: false })
  }
  const [usedBy, setUsedBy] = useState<ReferenceLineage['usedBy']>()
  const [isAddingToBoard, setIsAddingToBoard] = useState(false)
  const [isOrganizing, setIsOrganizing] = useState(false)
  const [isChoosingRetention, setIsChoosingRetention] = useState(false)
  const [isShowingHistory, setIsShowingHistory] = useState(false)
  const [isChoosingFreshness, setIsChoosingFreshness] = useState(false)
  const [isPublishing, setIsPublishing] = useState(false)
  const isAdmin = useIsAdmin()
  const isMarked = isVerified(reference.verification)
  const changeMark = async () => {
    if (isMarked) await unverifyReference(shortId)
    else await verifyReference(shortId)
    await queryClient.invalidateQueries({ queryKey: ['references'] })
    void queryClient.invalidateQueries({ queryKey: ['knowledge'] })
    toast.show({ message: isMarked ? 'Query is no longer verified.' : 'Query verified. Agents use it first.' })
  }
  const copyLink = async (link: string) => {
    await navigator.clipboard.writeText(link)
    toast.show({ message: 'Link copied.' })
  }
  const duplicate = async () => {
    const { description, currentQuery, visualization, parameters } = reference
    const copy = await createReference({
      queryId: currentQuery.id,
      title: `Copy of ${title}`.slice(0, 200),
      description,
      parameters,
      ...(visualization && { visualization }),
    })
    void queryClient.invalidateQueries({ queryKey: ['references'] })
    toast.show({ message: 'Query duplicated. This is the copy.' })
    navigate(paths.permalink(copy.shortId))
  }
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        {folded && (
          <>
            <MenuItem icon={<Copy />} onSelect={() => attempt(() => copyLink(folded.link))}>Copy link</MenuItem>
            <MenuDivider />
          </>
        )}
        {folded && !isManaged && (
          <>
            <MenuLink icon={<SquarePen />} href={folded.editLink}>Edit SQL</MenuLink>
            {folded.onEditChart && <MenuItem icon={<ChartColumn />} onSelect={folded.onEditChart}>Edit chart</MenuItem>}
            {folded.onFormat && <MenuItem icon={<SlidersHorizontal />} onSelect={folded.onFormat}>Format columns</MenuItem>}
            <MenuItem icon={<Pencil />} onSelect={() => folded.onEditDetails(!folded.isEditingDetails)}>
              {folded.isEditingDetails ? 'Stop editing details' : 'Edit details'}
            </MenuItem>
          </>
        )}
        {isAdmin && !reference.isOptimistic && (
          <MenuItem icon={isMarked ? <BadgeX /> : <BadgeCheck />} onSelect={() => attempt(changeMark)}>
            {isMarked ? 'Remove verified mark' : 'Verify query'}
          </MenuItem>
        )}
        {!reference.isOptimistic && (
          <MenuItem icon={<LayoutDashboard />} onSelect={() => setIsAddingToBoard(true)}>Add to board</MenuItem>
        )}
        {!reference.isOptimistic && <MenuLink icon={<CalendarClock />} href={paths.results(shortId)}>Results over time</MenuLink>}
        {!reference.isOptimistic && <MenuItem icon={<Archive />} onSelect={() => setIsChoosingRetention(true)}>Keep results</MenuItem>}
        {!reference.isOptimistic && !isManaged && <MenuItem icon={<TimerReset />} onSelect={() => setIsChoosingFreshness(true)}>Freshness as a table</MenuItem>}
        {!reference.isOptimistic && <MenuLink icon={<Workflow />} href={paths.lineage(shortId)}>Lineage</MenuLink>}
        <MenuItem icon={<History />} onSelect={() => setIsShowingHistory(true)}>Version history</MenuItem>
        <MenuItem icon={<Rss />} onSelect={() => setIsPublishing(true)}>Publish changes</MenuItem>
        <MenuItem icon={<FolderInput />} onSelect={() => setIsOrganizing(true)}>Folder and tags</MenuItem>
        <MenuItem icon={<CopyPlus />} onSelect={() => attempt(duplicate)}>Duplicate query</MenuItem>
        {!isManaged && (
          <>
            <MenuDivider />
            <MenuItem icon={<Trash2 />} isDangerous onSelect={() => attempt(removeUnlessUsed)}>Delete query</MenuItem>
          </>
        )}
      </Menu>
      {usedBy && (
        <DeleteUsedDialog
          title={title}
          usedBy={usedBy}
          onDelete={() => {
            setUsedBy(undefined)
            attempt(() => remove({ isConfirmed: true }))
          }}
          onClose={() => setUsedBy(undefined)}
        />
      )}
      {isOrganizing && (
        <OrganizeDialog item={{ kind: 'reference', shortId }} title={title} onClose={() => setIsOrganizing(false)} />
      )}
      {isChoosingRetention && <RetentionDialog shortId={shortId} onClose={() => setIsChoosingRetention(false)} />}
      {isChoosingFreshness && <FreshnessDialog reference={reference} onClose={() => setIsChoosingFreshness(false)} />}
      {isShowingHistory && <ReferenceHistory shortId={shortId} onClose={() => setIsShowingHistory(false)} />}
      {isPublishing && <ChangeFeedDialog shortId={shortId} onClose={() => setIsPublishing(false)} />}
      {isAddingToBoard && <AddToBoardDialog reference={reference} onClose={() => setIsAddingToBoard(false)} />}
    </>
  )
}
