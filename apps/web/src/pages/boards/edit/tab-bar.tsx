import { ArrowLeft, ArrowRight, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import type { BoardTab } from '../../../api/boards.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Menu, MenuDivider, MenuItem } from '../../../ui/menu.tsx'
import { maxTabs } from '../content/board-content.ts'

/** Chooses, adds, renames, reorders and removes tabs. */
export function TabBar(props: {
  tabs: BoardTab[]
  tabId: string | undefined
  onChoose(tabId: string): void
  onAdd(): void
  onRename(tabId: string, title: string): void
  onReorder(tabId: string, by: -1 | 1): void
  onRemove(tabId: string): void
}) {
  const { tabs, tabId } = props
  const [renamed, setRenamed] = useState<BoardTab>()
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-line" role="group" aria-label="Tabs of the board">
      {tabs.map((tab, at) => (
        <div key={tab.id} className="flex items-center">
          <button
            type="button"
            aria-pressed={tab.id === tabId}
            className="-mb-px border-b-2 border-transparent px-1 py-2 font-medium text-soft hover:text-ink aria-pressed:border-accent aria-pressed:text-ink"
            onClick={() => props.onChoose(tab.id)}
          >
            {tab.title}
          </button>
          {tab.id === tabId && (
            <Menu align="start" trigger={<IconButton label={`Actions for tab ${tab.title}`} icon={<Ellipsis />} className="size-7" />}>
              <MenuItem icon={<Pencil />} onSelect={() => setRenamed(tab)}>Rename tab</MenuItem>
              <MenuItem icon={<ArrowLeft />} isDisabled={at === 0} onSelect={() => props.onReorder(tab.id, -1)}>Move left</MenuItem>
              <MenuItem icon={<ArrowRight />} isDisabled={at === tabs.length - 1} onSelect={() => props.onReorder(tab.id, 1)}>Move right</MenuItem>
              <MenuDivider />
              <MenuItem icon={<Trash2 />} isDangerous onSelect={() => props.onRemove(tab.id)}>Remove tab, keep its tiles</MenuItem>
            </Menu>
          )}
        </div>
      ))}
      <Button kind="ghost" size="small" icon={<Plus />} disabled={tabs.length >= maxTabs} onClick={props.onAdd}>Add tab</Button>
      {renamed && (
        <RenameTab
          tab={renamed}
          onRename={(title) => {
            props.onRename(renamed.id, title)
            setRenamed(undefined)
          }}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </div>
  )
}

const formId = 'rename-tab'

function RenameTab({ tab, onRename, onClose }: { tab: BoardTab; onRename(title: string): void; onClose(): void }) {
  const [title, setTitle] = useState(tab.title)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onRename(title.trim())
  }
  return (
    <Dialog
      title="Rename tab"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" disabled={title.trim() === ''}>Rename tab</Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <Field label="Title"><TextInput value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} /></Field>
      </form>
    </Dialog>
  )
}
