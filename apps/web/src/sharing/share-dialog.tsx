import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { createPublicLink, editPublicLink, type PublicLink, publicLinksKey, publicLinksOfOptions } from '../api/public-links.ts'
import type { ItemKind } from '../api/items.ts'
import { organizationOptions } from '../api/organization.ts'
import type { ParameterDefinition } from '../api/references.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Hint } from '../ui/notice.tsx'
import { useAction } from '../ui/use-action.ts'
import { draftOf, type LinkDraft, newDraft, requestOf } from './link-draft.ts'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'

export interface SharedItem {
  kind: ItemKind
  shortId: string
  title: string
  parameters: ParameterDefinition[]
}

const formId = 'link-form'

/** The public links of a query or a board: create, copy, change and revoke them. */
export function ShareDialog({ item, onClose }: { item: SharedItem; onClose(): void }) {
  const links = useQuery(publicLinksOfOptions(item))
  const { data: organization } = useQuery(organizationOptions)
  const [editing, setEditing] = useState<PublicLink | 'new'>()
  const [draft, setDraft] = useState<LinkDraft>(newDraft)
  const client = useQueryClient()
  const saving = useAction()
  const isOff = organization?.publicLinksEnabled === false
  const edit = (link: PublicLink | 'new') => {
    setDraft(link === 'new' ? newDraft : draftOf(link))
    setEditing(link)
  }
  const save = () =>
    saving.run(async () => {
      const body = requestOf(draft, item.parameters, Date.now())
      if (editing === 'new') await createPublicLink(item, body)
      else await editPublicLink(editing!.id, body)
      await client.invalidateQueries({ queryKey: publicLinksKey })
      setEditing(undefined)
    })

  if (editing !== undefined) {
    const isNew = editing === 'new'
    return (
      <Dialog
        title={isNew ? 'New public link' : 'Change public link'}
        description="Anyone with the link sees the stored results."
        isOpen
        onOpenChange={onClose}
        footer={
          <>
            <Button onClick={() => setEditing(undefined)}>Back</Button>
            <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>{isNew ? 'Create link' : 'Save changes'}</Button>
          </>
        }
      >
        <LinkForm
          id={formId}
          draft={draft}
          link={isNew ? undefined : editing}
          parameters={item.parameters}
          error={saving.error}
          onChange={setDraft}
          onSubmit={save}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={`Share “${item.title}”`} description="Members of your organization can already open this page." isOpen onOpenChange={onClose}>
      <div className="grid gap-4">
        {isOff && <Hint kind="warning">Public links are turned off for your organization. Existing links don’t work until an admin turns them on.</Hint>}
        <Loaded query={links}>
          {(items) => (
            <>
              {items.length === 0 ? (
                <div className="grid justify-items-center gap-2 py-4 text-center">
                  <Globe className="size-6 text-soft" aria-hidden="true" />
                  <p className="font-medium">No public links yet</p>
                  <p className="max-w-sm text-soft">A public link shows the stored results to anyone who has it. You decide what else viewers can do.</p>
                </div>
              ) : (
                <ul className="-my-2 divide-y divide-line" aria-label="Public links">
                  {items.map((link) => <LinkRow key={link.id} link={link} onEdit={isOff ? undefined : () => edit(link)} />)}
                </ul>
              )}
              <Button kind="primary" icon={<Plus />} disabled={isOff} className="justify-self-center" onClick={() => edit('new')}>New public link</Button>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}
