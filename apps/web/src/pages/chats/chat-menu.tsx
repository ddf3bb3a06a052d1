import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { type Chat, chatListKey, chatOptions, deleteChat, renameChat } from '../../api/chats.ts'
import { faultAt } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Menu, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

type OnChange = (change: (chat: Chat) => Chat) => void

/** Renames or deletes a chat. The chat of an automation can't be deleted. */
export function ChatMenu({ chat, onChange }: { chat: Chat; onChange: OnChange }) {
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} onSelect={() => setOpen('rename')}>Rename chat</MenuItem>
        {chat.automation === null && (
          <>
            <MenuDivider />
            <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setOpen('delete')}>Delete chat</MenuItem>
          </>
        )}
      </Menu>
      {open === 'rename' && <RenameDialog chat={chat} onChange={onChange} onClose={close} />}
      <DeleteDialog chat={chat} isOpen={open === 'delete'} onClose={close} />
    </>
  )
}

const formId = 'rename-chat'

function RenameDialog({ chat, onChange, onClose }: { chat: Chat; onChange: OnChange; onClose(): void }) {
  const [title, setTitle] = useState(chat.title)
  const client = useQueryClient()
  const renaming = useMutation({
    mutationFn: () => renameChat(chat.shortId, title.trim()),
    onSuccess: (renamed) => {
      onChange((before) => ({ ...before, title: renamed.title }))
      void client.invalidateQueries({ queryKey: chatListKey })
      onClose()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    renaming.mutate()
  }
  return (
    <Dialog
      title="Rename chat"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={renaming.isPending} disabled={title.trim() === ''}>
            Rename chat
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-3" onSubmit={submit}>
        <Field label="Title" fault={faultAt(renaming.error, '/title')}>
          <TextInput value={title} maxLength={200} autoFocus onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <FormProblem error={renaming.error} fields={['/title']} />
      </form>
    </Dialog>
  )
}

function DeleteDialog({ chat, isOpen, onClose }: { chat: Chat; isOpen: boolean; onClose(): void }) {
  const client = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteChat(chat.shortId),
    onSuccess: () => {
      navigate(paths.chats)
      client.removeQueries({ queryKey: chatOptions(chat.shortId).queryKey.slice(0, 3) })
      void client.invalidateQueries({ queryKey: chatListKey })
      toast.show({ message: `Deleted “${chat.title}”.` })
    },
  })
  return (
    <ConfirmDialog
      title="Delete this chat?"
      confirmLabel="Delete chat"
      isOpen={isOpen}
      onOpenChange={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      Its questions, answers and feedback are deleted for everyone, and its link stops working. Saved queries are kept.
    </ConfirmDialog>
  )
}
