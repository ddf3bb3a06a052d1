import { Plus, Redo2, SlidersHorizontal, Undo2 } from 'lucide-react'
import { faultAt } from '../../../api/request.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { maxTiles } from '../content/board-content.ts'
import type { useEditor } from './use-editor.ts'

/** Title, description and the actions of the editor. It stays in view. */
export function EditorBar(props: {
  editor: ReturnType<typeof useEditor>
  isNew: boolean
  isBusy: boolean
  error: unknown
  onAdd(): void
  onParameters(): void
  onSave(): void
  onCancel(): void
}) {
  const { editor, isNew, error } = props
  const { content, change } = editor
  return (
    <header className="grid gap-3">
      <div className="sticky top-0 z-20 flex flex-wrap items-center gap-2 bg-paper py-2">
        <Button icon={<Plus />} disabled={content.tiles.length >= maxTiles} onClick={props.onAdd}>Add tiles</Button>
        <Button icon={<SlidersHorizontal />} onClick={props.onParameters}>Parameters</Button>
        <IconButton label="Undo" icon={<Undo2 />} disabled={!editor.canUndo} onClick={editor.undo} />
        <IconButton label="Redo" icon={<Redo2 />} disabled={!editor.canRedo} onClick={editor.redo} />
        <div className="ml-auto flex gap-2">
          <Button onClick={props.onCancel}>Cancel</Button>
          <Button kind="primary" isBusy={props.isBusy} disabled={content.title.trim() === '' || (!isNew && !editor.isChanged)} onClick={props.onSave}>
            {isNew ? 'Save board' : 'Save'}
          </Button>
        </div>
      </div>
      <FormProblem error={error} fields={['/title', '/description']} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Title" fault={faultAt(error, '/title')}>
          <TextInput
            value={content.title}
            maxLength={200}
            onChange={({ target }) => change((now) => ({ ...now, title: target.value }), 'title')}
          />
        </Field>
        <Field label="Description" fault={faultAt(error, '/description')}>
          <TextInput
            value={content.description ?? ''}
            maxLength={5000}
            placeholder="What this board is for"
            onChange={({ target }) => change((now) => ({ ...now, description: target.value === '' ? null : target.value }), 'description')}
          />
        </Field>
      </div>
    </header>
  )
}
