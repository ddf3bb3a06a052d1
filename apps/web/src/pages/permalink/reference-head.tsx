import type { ReactNode } from 'react'
import type { ReferenceInFull } from '../../api/references.ts'
import { ManagedBadge } from '../../items/managed-badge.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { EditableText } from './editable-text.tsx'
import { useEditReference } from './use-edit-reference.ts'

/** The title and description of a reference, editable in place if `isEditable`, and its actions. */
export function ReferenceHead(props: {
  reference: ReferenceInFull
  managedUrl: string | undefined
  isEditable: boolean
  actions: ReactNode
}) {
  const { reference, managedUrl, isEditable, actions } = props
  const edit = useEditReference(reference.shortId)
  const { title, description, verification } = reference
  const badge = (verification || managedUrl !== undefined) && (
    <div className="flex flex-wrap gap-2">
      <VerifiedBadge verification={verification} isInFull />
      <ManagedBadge url={managedUrl} />
    </div>
  )
  if (!isEditable) {
    return (
      <header className="grid gap-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h1 className="min-w-0 max-w-full">{title}</h1>
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        </div>
        {badge}
        {description !== null && <Description text={description} />}
      </header>
    )
  }
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 max-w-full grow basis-64">
          <EditableText
            label="Title"
            value={title}
            maxLength={200}
            faultPath="/title"
            inputClass="text-[1.4rem] leading-7 font-semibold"
            onSave={(typed) => edit({ title: typed })}
          >
            <h1>{title}</h1>
          </EditableText>
        </div>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </div>
      {badge}
      <EditableText
        label="Description"
        value={description ?? ''}
        isMultiline
        maxLength={5000}
        faultPath="/description"
        onSave={(typed) => edit({ description: typed === '' ? null : typed })}
      >
        <Description text={description ?? 'Add a description'} />
      </EditableText>
    </header>
  )
}

function Description({ text }: { text: string }) {
  return <p className="max-w-3xl text-soft whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
}
